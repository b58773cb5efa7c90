//! Slash commands: each shows one thing that an agent can do with a client, or one way to end.

use std::time::Duration;

use acp_harness::{
    serve::{
        AskError, Client, Completed, Failure, FailureClass, Limit, Outcome, PermissionRequest,
        SlashCommand, Stop, Tool, ToolContent, Turn,
    },
    vocab::{
        BooleanPropertySchema, ElicitationAction, ElicitationContentValue,
        ElicitationPropertySchema, ElicitationSchema, NoticeSeverity, PermissionOptionKind,
        ProtocolVersion, Raw, StringPropertySchema, ToolCallStatus,
    },
};

use super::agent::Demo;

/// Between two words of `/long`.
const PAUSE: Duration = Duration::from_millis(100);
/// How long `/watch` watches when nobody stops it.
const LONGEST: Duration = Duration::from_secs(60);
/// Words that `/long` says when it is not told how many.
const MANY: u32 = 600;

/// The commands, for a client to list.
pub(super) fn all() -> Vec<SlashCommand> {
    vec![
        SlashCommand::new("long", "Say a word every 100 ms, until it is cancelled")
            .hint("how many"),
        SlashCommand::new("flood", "Say many words as fast as they are read").hint("how many"),
        SlashCommand::new("read", "Read a file through the client (v1)").hint("absolute path"),
        SlashCommand::new("write", "Write a file through the client (v1)").hint("absolute path"),
        SlashCommand::new(
            "run",
            "Run a command in a terminal of the client (v1), or show one (v2)",
        ),
        SlashCommand::new(
            "watch",
            "Watch a file until the tool, its terminal or the turn is cancelled",
        ),
        SlashCommand::new("form", "Ask the user to fill in a form"),
        SlashCommand::new("link", "Ask the user to open a page"),
        SlashCommand::new("ask", "Ask for permission to do nothing"),
        SlashCommand::new(
            "tools",
            "List the tools of the servers that the client hosts",
        ),
        SlashCommand::new("notice", "Show a notice"),
        SlashCommand::new("fail", "End the turn as a failure"),
        SlashCommand::new("refuse", "End the turn as refused"),
        SlashCommand::new("limit", "End the turn at the token limit"),
    ]
}

/// Runs one.
pub(super) async fn run(demo: &Demo, turn: &Turn, name: &str, rest: &str) -> Outcome {
    let client = turn.client();
    match name {
        "long" => long(turn, rest.parse().unwrap_or(MANY)).await?,
        "flood" => {
            for number in 0..rest.parse::<u32>().unwrap_or(MANY) {
                turn.say(format!("{number} ")).await?;
            }
        }
        "read" => report(turn, "read", client.read_text_file(rest, None, None).await).await?,
        "write" => {
            let written = client
                .write_text_file(rest, "written by the demo agent\n")
                .await;
            let said = written.map(|()| Box::from("written"));
            report(turn, "write", said).await?;
        }
        "run" if client.version() == ProtocolVersion::V1 => terminal(turn, client).await?,
        "run" => display(turn).await?,
        "watch" => watch(turn).await?,
        "form" => form(turn, client).await?,
        "link" => {
            let url = "https://example.com/demo";
            let action = client
                .ask_url("Open the demo's page?", "demo-link", url)
                .await;
            if matches!(action, Ok(ElicitationAction::Accept(_))) {
                client.url_completed("demo-link").await?;
            }
            report(turn, "link", action.map(|action| spoken(&action))).await?;
        }
        "ask" => ask(turn).await?,
        "tools" => tools(demo, turn).await?,
        "notice" => {
            turn.updates()
                .notice(NoticeSeverity::Info, "This is a notice")
                .await?;
        }
        "fail" => {
            return Err(Stop::Failed(Failure::new(
                FailureClass::Provider,
                "the demo was told to fail",
            )));
        }
        "refuse" => return Err(Stop::PolicyDenied),
        "limit" => return Err(Stop::LimitExceeded(Limit::Tokens)),
        _ => return super::work::work(demo, turn).await,
    }
    Ok(Completed::new())
}

async fn long(turn: &Turn, words: u32) -> Result<(), Stop> {
    for number in 1..=words {
        turn.say(format!("{number} ")).await?;
        tokio::select! {
            () = turn.cancellation().cancelled() => {
                turn.last_words().say("(stopped)").await?;
                return Err(Stop::Cancelled);
            }
            () = tokio::time::sleep(PAUSE) => {}
        }
    }
    Ok(())
}

/// Says what the client answered, or that it cannot.
async fn report(turn: &Turn, what: &str, result: Result<Box<str>, AskError>) -> Result<(), Stop> {
    match result {
        Ok(text) => turn.say(format!("{what}: {text}")).await?,
        Err(error @ (AskError::NotAdvertised(_) | AskError::Refused(_))) => {
            turn.say(format!("{what}: {error}")).await?;
        }
        Err(error) => return Err(error.into()),
    }
    Ok(())
}

async fn terminal(turn: &Turn, client: &Client) -> Result<(), Stop> {
    let terminal = match client
        .run_command("echo", &["demo"], None, Some(4096))
        .await
    {
        Ok(terminal) => terminal,
        Err(error) => return report(turn, "run", Err(error)).await,
    };
    let tool = Tool::new("terminal")
        .title("echo demo")
        .execute()
        .running()
        .content(ToolContent::Terminal(terminal.id().clone()));
    turn.tool(tool).await?;
    let exit = terminal.wait().await?;
    let output = terminal.output().await?;
    turn.tool(Tool::new("terminal").completed()).await?;
    terminal.release().await?;
    let code = exit
        .exit_code
        .map_or_else(|| "none".to_owned(), |code| code.to_string());
    turn.say(format!("exit code {code}: {}", output.output.trim_end()))
        .await?;
    Ok(())
}

async fn display(turn: &Turn) -> Result<(), Stop> {
    turn.tool(Tool::new("terminal").title("echo demo").execute().running())
        .await?;
    let terminal = turn.updates().display("terminal");
    terminal
        .command("echo demo", turn.cwd().to_string_lossy())
        .await?;
    terminal.output(b"demo\n").await?;
    terminal.exited(0).await?;
    turn.tool(Tool::new("terminal").completed()).await?;
    Ok(())
}

/// A tool call and a terminal that the client can cancel, each alone (version 2).
async fn watch(turn: &Turn) -> Result<(), Stop> {
    let tool = Tool::new("watch")
        .title("Watch notes.md")
        .execute()
        .running();
    turn.tool(tool).await?;
    let tool = turn.updates().cancellable("watch").await?;
    let terminal = turn.updates().display("watch");
    terminal
        .command("tail -f notes.md", turn.cwd().to_string_lossy())
        .await?;
    let shown = terminal.cancellable().await?;
    tokio::select! {
        biased;
        () = turn.cancellation().cancelled() => return Err(Stop::Cancelled),
        () = tool.cancelled() => {
            let stopped = Tool::new("watch").status(ToolCallStatus::Cancelled);
            turn.tool(stopped).await?;
            turn.say("The tool was cancelled; the turn goes on.").await?;
        }
        () = shown.cancelled() => {
            terminal.exited(130).await?;
            turn.tool(Tool::new("watch").completed()).await?;
            turn.say("The terminal was cancelled; the turn goes on.").await?;
        }
        () = tokio::time::sleep(LONGEST) => {
            terminal.exited(0).await?;
            turn.tool(Tool::new("watch").completed()).await?;
        }
    }
    Ok(())
}

async fn form(turn: &Turn, client: &Client) -> Result<(), Stop> {
    let mut name = StringPropertySchema::new();
    name.title = Some("Your name".into());
    name.min_length = Some(1);
    let mut sure = BooleanPropertySchema::new();
    sure.title = Some("Are you sure?".into());
    let mut schema = ElicitationSchema::new();
    schema
        .properties
        .insert("name".into(), ElicitationPropertySchema::String(name));
    schema
        .properties
        .insert("sure".into(), ElicitationPropertySchema::Boolean(sure));
    schema.required = Some(vec!["name".into()]);
    let action = client.ask_form("Who are you?", schema).await;
    report(turn, "form", action.map(|action| spoken(&action))).await
}

fn spoken(action: &ElicitationAction) -> Box<str> {
    match action {
        ElicitationAction::Accept(accept) => {
            let name = accept
                .content
                .as_ref()
                .and_then(|content| content.get("name"));
            match name {
                Some(ElicitationContentValue::String(name)) => format!("accepted, {name}").into(),
                _ => "accepted".into(),
            }
        }
        ElicitationAction::Decline => "declined".into(),
        _ => "cancelled".into(),
    }
}

/// Asks every server that the client hosts what it has, and tells what it says meanwhile.
async fn tools(demo: &Demo, turn: &Turn) -> Result<(), Stop> {
    let servers = demo.hosted(turn.session());
    if servers.is_empty() {
        turn.say("The client hosts no server.").await?;
    }
    for (name, id) in servers {
        let mut call = turn
            .client()
            .mcp(&id, "tools/list", &serde_json::json!({}))?;
        while let Some(notice) = call.next().await {
            turn.think(format!("{name} says {}. ", notice.method))
                .await?;
        }
        let said = call.answer().await.map(|answer| match answer {
            Ok(result) => format!("{name} has {}", listed(&result)).into(),
            Err(error) => format!("{name} fails with error {}", error.code).into(),
        });
        report(turn, "tools", said).await?;
    }
    Ok(())
}

/// The names of the tools in the result of `tools/list`.
fn listed(result: &Raw) -> String {
    #[derive(serde::Deserialize)]
    struct Listed {
        #[serde(default)]
        tools: Vec<Named>,
    }
    #[derive(serde::Deserialize)]
    struct Named {
        name: String,
    }
    let names = serde_json::from_str::<Listed>(result.get());
    let names = names.map(|all| all.tools).unwrap_or_default();
    let names: Vec<String> = names.into_iter().map(|tool| tool.name).collect();
    if names.is_empty() {
        "no tools.".to_owned()
    } else {
        format!("{}.", names.join(", "))
    }
}

async fn ask(turn: &Turn) -> Result<(), Stop> {
    let request = PermissionRequest::new("Do nothing?")
        .option("yes", "Yes", PermissionOptionKind::AllowOnce)
        .option("no", "No", PermissionOptionKind::RejectOnce);
    let decided = turn.request_permission(request).await?;
    let said = if decided.is_allowed() {
        "I was allowed to do nothing, and did."
    } else {
        "I was not allowed to do nothing, and did it all the same."
    };
    turn.say(said).await?;
    Ok(())
}
