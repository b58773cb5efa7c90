//! Prints `{"v1": {NAME: DEFINITION}, "v2": {..}}` of the official schema crate on stdout.
//!
//! The roots are the types that every message of the protocol hangs off; their definitions name
//! all others. With the feature `unstable` the unstable ones are there too.

use agent_client_protocol_schema::{v1, v2};
use schemars::generate::SchemaSettings;
use serde_json::{Map, Value, json};

/// The definitions that these roots reach, and the roots themselves. (The crate marks its routing
/// enums as inline, so the generator hands them out instead of naming them.)
macro_rules! definitions {
    ($($module:ident::$root:ident),* $(,)?) => {{
        let mut generator = SchemaSettings::draft2020_12().into_generator();
        let mut roots = Map::new();
        $({
            let schema = generator.subschema_for::<$module::$root>();
            if schema.get("$ref").is_none() {
                roots.insert(stringify!($root).to_owned(), schema.to_value());
            }
        })*
        roots.extend(generator.take_definitions(true));
        roots
    }};
}

fn main() {
    println!("{}", json!({"v1": first(), "v2": second()}));
}

fn first() -> Map<String, Value> {
    #[cfg(feature = "unstable")]
    let proxies = definitions![v1::ProxyRequest, v1::ProxyResponse, v1::ProxyNotification];
    #[cfg(not(feature = "unstable"))]
    let proxies = Map::new();
    let mut all = definitions![
        v1::AgentRequest,
        v1::AgentResponse,
        v1::AgentNotification,
        v1::ClientRequest,
        v1::ClientResponse,
        v1::ClientNotification,
        v1::CancelRequestNotification,
        v1::RequestId,
        v1::Error,
    ];
    all.extend(proxies);
    all
}

fn second() -> Map<String, Value> {
    #[cfg(feature = "unstable")]
    let proxies = definitions![v2::ProxyRequest, v2::ProxyResponse, v2::ProxyNotification];
    #[cfg(not(feature = "unstable"))]
    let proxies = Map::new();
    let mut all = definitions![
        v2::AgentRequest,
        v2::AgentResponse,
        v2::AgentNotification,
        v2::ClientRequest,
        v2::ClientResponse,
        v2::ClientNotification,
        v2::CancelRequestNotification,
        v2::RequestId,
        v2::Error,
    ];
    all.extend(proxies);
    all
}
