//! What can be seen of an agent that is started and asked for nothing but to agree on a version.

use std::{sync::Arc, time::Duration};

use acp_harness::transport::Link;
use tokio::time::Instant;

use super::Finding;
use crate::{
    duration,
    failure::Broken,
    hiargs::Started,
    output::Style,
    safe, stage, start,
    talk::Talk,
    verb::probe::{Ear, Left, leave},
};

/// From when on a start is slow.
const SLOW: Duration = Duration::from_secs(10);

/// Starts it, agrees, and watches it leave. Why it could not is given back beside what was found until then.
pub(crate) async fn started(
    talk: &mut Talk,
    started: &Started,
    style: &Style,
) -> (Vec<Finding>, Option<Broken>) {
    let ear = match stage::watch(talk, started, style) {
        Ok(wire) => Arc::new(Ear::new(wire)),
        Err(broken) => return (Vec::new(), Some(broken)),
    };
    let budget = start::budget(started.idle, started.absolute);
    let began = Instant::now();
    let reached = start::reach(talk, started, &budget, |link: Link| {
        link.observed(Arc::<Ear>::clone(&ear))
    })
    .await;
    let took = began.elapsed();
    let mut findings = Vec::new();
    let (client, agreement) = match reached {
        Ok(reached) => reached,
        Err(broken) => {
            findings.extend(noise(&ear));
            findings.push(failed(&broken, &start::spelled(&started.agent)));
            return (findings, Some(broken));
        }
    };
    let time = if style.times {
        format!(" in {}", duration::show(took))
    } else {
        String::new()
    };
    let agreed = format!("ACP v{}{time}", agreement.version().0);
    findings.push(if took < SLOW {
        Finding::good("starts", agreed)
    } else {
        let next = "where it is fetched or updated at each start, install it once";
        Finding::warning("starts", format!("{agreed}: slow"), next)
    });
    ear.listen().await;
    findings.extend(noise(&ear));
    let methods: Vec<String> = agreement
        .auth_methods()
        .iter()
        .map(|method| safe::line(&method.id, 60))
        .collect();
    if !methods.is_empty() {
        findings.push(Finding::good("logs in by", methods.join(", ")));
    }
    if let Some(agent) = talk.agent.clone() {
        findings.push(leaves(&leave(&client, &agent).await, style));
    }
    (findings, None)
}

fn failed(broken: &Broken, command: &str) -> Finding {
    let failure = &broken.failure;
    let mut is = failure.message.clone();
    for line in failure
        .stderr
        .iter()
        .flat_map(|stderr| stderr.lines())
        .take(3)
    {
        is.push_str(&format!("; stderr: {line}"));
    }
    let by_hand = || format!("run it by hand and read what it says: {command}");
    let next = failure.hint.clone().unwrap_or_else(by_hand);
    Finding::bad("starts", is, Some(next))
}

fn noise(ear: &Ear) -> Option<Finding> {
    let noise = ear.take().noise;
    let (_, first) = noise.first_key_value()?;
    let lines: usize = noise.values().map(|noise| noise.lines).sum();
    let lines = if lines == 1 {
        String::from("1 line on its stdout is no message")
    } else {
        format!("{lines} lines on its stdout are no messages")
    };
    Some(Finding::warning(
        "noise",
        format!("{lines}; it begins with: {}", first.first),
        "acp skips them, other clients may not: they belong on stderr",
    ))
}

fn leaves(left: &Left, style: &Style) -> Finding {
    let time = if style.times {
        format!(", after {}", duration::show(left.took))
    } else {
        String::new()
    };
    match left.on {
        "eof" => Finding::good("leaves", format!("at the end of its input{time}")),
        on => Finding::warning(
            "leaves",
            format!(
                "not at the end of its input: it took {}{time}",
                on.to_uppercase()
            ),
            "acp ends it anyway; other clients may leave it behind",
        ),
    }
}
