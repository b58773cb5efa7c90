//! Starting an agent of which nothing is known, and agreeing with it.

use std::sync::Arc;

use acp_handshake::Agreement;
use acp_transport::Connector;
use acp_vocab::ProtocolVersion;

use crate::{
    budget::Budget,
    builder::ClientBuilder,
    client::Client,
    error::{InitializeError, LaunchError},
};

/// An agent that was started and agreed with.
#[derive(Debug)]
#[non_exhaustive]
pub struct Launched {
    /// The connection to it.
    pub client: Client,
    /// What was agreed.
    pub agreement: Arc<Agreement>,
    /// Whether a first process did not get along with the newer offer, and this is the second.
    pub restarted: bool,
}

impl ClientBuilder {
    /// Starts an agent and agrees with it, within the default bounds.
    ///
    /// Where several versions are offered the newest is asked for first. An agent that answers
    /// that with an error, or by ending, is started a second time and asked for version 1: see
    /// [`acp_handshake::Negotiation`] for each case.
    ///
    /// # Errors
    /// [`LaunchError`]: it could not be started, or there is no agreement.
    pub async fn launch(self, connector: &mut dyn Connector) -> Result<Launched, LaunchError> {
        self.launch_within(connector, &Budget::defaults()).await
    }

    /// The same within a budget, which both processes share.
    ///
    /// # Errors
    /// As [`launch`](Self::launch).
    pub async fn launch_within(
        self,
        connector: &mut dyn Connector,
        budget: &Budget,
    ) -> Result<Launched, LaunchError> {
        let client = self.clone().connect(connector.connect().await?)?;
        match client.initialize_within(budget).await {
            Ok(agreement) => Ok(Launched {
                client,
                agreement,
                restarted: false,
            }),
            Err(InitializeError::NeedsFreshLink { .. }) => {
                tracing::debug!("the agent is started afresh, and asked for version 1");
                client.close().await;
                let old = self.versions([ProtocolVersion::V1]);
                let client = old.connect(connector.connect().await?)?;
                let agreement = client.initialize_within(budget).await?;
                Ok(Launched {
                    client,
                    agreement,
                    restarted: true,
                })
            }
            Err(error) => Err(error.into()),
        }
    }
}
