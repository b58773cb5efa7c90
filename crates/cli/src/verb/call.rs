//! `acp call`: one request of any method, after a proper `initialize`.

use std::io::{self, Read as _};

use acp_harness::vocab::Raw;

use crate::{
    exit::Exit,
    failure::Broken,
    hiargs::{Misuse, Started},
    lowargs::Call,
    moment::{Data, Moment},
    output::{Answer, Style},
    safe, stage, start,
    talk::Talk,
};

/// How much of params is read.
const MAX_PARAMS: u64 = 32 << 20;

/// Runs it.
pub(crate) fn call(low: &Call, style: &Style) -> Exit {
    stage::play(
        &low.start,
        style,
        Answer::new(None),
        async |talk, signals| {
            let params = params(&low.params).map_err(Broken::misuse)?;
            let started = Started::new(&low.start).map_err(Broken::misuse)?;
            let wire = stage::watch(talk, &started, style)?;
            tokio::select! {
                asked = ask(talk, low, &started, &params, wire.as_ref()) => asked.map(|()| None),
                signal = signals.next() => Ok(Some(signal)),
            }
        },
        stage::concluded,
    )
}

async fn ask(
    talk: &mut Talk,
    low: &Call,
    started: &Started,
    params: &Raw,
    wire: Option<&std::sync::Arc<crate::wire::Wire>>,
) -> Result<(), Broken> {
    let budget = start::budget(started.idle, started.absolute);
    let (client, _) = start::reach(talk, started, &budget, |link| start::seen(link, wire)).await?;
    start::log_in(talk, &client, started, &budget).await?;
    talk.enter("call");
    let answer = if low.unchecked {
        match client
            .requester()
            .send_unchecked(&low.method, params, &budget)
        {
            Ok(mut pending) => pending.await_response().await,
            Err(error) => Err(error.into()),
        }
    } else {
        client.call_within(&low.method, params, &budget).await
    };
    let result = answer.map_err(|error| Broken::request(&error, &talk.scene()))?;
    let text = pretty(&result);
    let data = Data::new("call", &result, text)
        .map_err(|_| Broken::internal("a result cannot be written"))?;
    talk.show(&Moment::Data(data))?;
    talk.phase = "done";
    Ok(())
}

/// The result as people read it. Its strings are the agent's: JSON escapes what acts on a terminal, but for some characters above
/// ASCII.
fn pretty(result: &Raw) -> String {
    let mut text = serde_json::from_str::<serde_json::Value>(result.get())
        .and_then(|value| serde_json::to_string_pretty(&value))
        .unwrap_or_else(|_| result.get().to_owned());
    text.push('\n');
    safe::text(&text).into_owned()
}

fn params(typed: &str) -> Result<Raw, Misuse> {
    let text = if typed == "-" {
        let mut text = String::new();
        io::stdin()
            .lock()
            .take(MAX_PARAMS)
            .read_to_string(&mut text)
            .map_err(|error| Misuse::new(format!("stdin cannot be read: {error}")))?;
        text
    } else {
        typed.to_owned()
    };
    match serde_json::from_str::<serde_json::Value>(&text) {
        Ok(serde_json::Value::Object(_) | serde_json::Value::Array(_)) => {
            Raw::from_text(text.trim()).map_err(|_| Misuse::new("the params are not JSON"))
        }
        Ok(_) => Err(Misuse::new("params are an object or a list")),
        Err(error) => Err(Misuse::new(format!(
            "the params are not JSON (line {}, column {})",
            error.line(),
            error.column()
        ))),
    }
}
