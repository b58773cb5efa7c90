//! `acp status`: what this program speaks, declares and handles, computed from the code that does it.

use std::io::{self, Write as _};

use acp_harness::{
    handshake::{KNOWN, SPOKEN},
    vocab::{CLIENT_METHODS, Gate, Method, ProtocolVersion, Side},
};
use clap::CommandFactory as _;
use serde::Serialize;
use serde_json::value::{RawValue, to_raw_value};

use crate::{exit::Exit, lowargs::Low, offer, output::Style, upstream};

#[derive(Debug, Serialize)]
struct Status {
    name: &'static str,
    version: &'static str,
    /// How far the program is: the versions in which it holds whole sessions.
    stage: String,
    /// The versions it offers.
    supported_versions: Vec<u16>,
    preferred_version: u16,
    /// The versions whose `initialize` it can build and read.
    known_versions: Vec<u16>,
    /// The exact declaration, by version.
    client_capabilities: Vec<Declared>,
    /// What an agent may send and gets handled.
    client_methods: Vec<&'static str>,
    /// Whether an agent can be reached at all.
    transport_wired: bool,
    transports: Vec<Transport>,
    upstream: Vec<upstream::Pin>,
}

#[derive(Debug, Serialize)]
struct Declared {
    protocol_version: u16,
    capabilities: Box<RawValue>,
}

#[derive(Debug, Serialize)]
struct Transport {
    name: &'static str,
    transport_wired: bool,
    used_by: String,
}

/// Prints it.
pub(crate) fn status(style: &Style) -> Exit {
    let written = Status::now().map_err(io::Error::from).and_then(|status| {
        let text = if style.json {
            status.json()?
        } else {
            status.text()
        };
        io::stdout().lock().write_all(text.as_bytes())
    });
    if written.is_ok() {
        Exit::Ok
    } else {
        Exit::Failed
    }
}

impl Status {
    fn now() -> Result<Self, serde_json::Error> {
        let declaration = offer::declaration();
        let numbers = |versions: &[ProtocolVersion]| {
            versions.iter().map(|version| version.0).collect::<Vec<_>>()
        };
        let declared = |version: &ProtocolVersion| {
            let capabilities = to_raw_value(&declaration.capabilities(*version))?;
            Ok(Declared {
                protocol_version: version.0,
                capabilities,
            })
        };
        let spoken = numbers(SPOKEN);
        let transports = transports();
        Ok(Self {
            name: offer::NAME,
            version: offer::VERSION,
            stage: format!(
                "sessions of {}",
                spoken
                    .iter()
                    .map(|number| format!("v{number}"))
                    .collect::<Vec<_>>()
                    .join(" and ")
            ),
            preferred_version: spoken.iter().copied().max().unwrap_or_default(),
            supported_versions: spoken,
            known_versions: numbers(KNOWN),
            client_capabilities: SPOKEN
                .iter()
                .map(declared)
                .collect::<Result<_, serde_json::Error>>()?,
            client_methods: handled().iter().map(|method| method.name()).collect(),
            transport_wired: transports.iter().any(|transport| transport.transport_wired),
            transports,
            upstream: upstream::pins(),
        })
    }

    fn json(&self) -> io::Result<String> {
        let mut text = serde_json::to_string(self)?;
        text.push('\n');
        Ok(text)
    }

    fn text(&self) -> String {
        let list = |numbers: &[u16]| {
            numbers
                .iter()
                .map(ToString::to_string)
                .collect::<Vec<_>>()
                .join(", ")
        };
        let mut lines = vec![
            format!("{} {}", self.name, self.version),
            format!("stage               {}", self.stage),
            format!("supported versions  {}", list(&self.supported_versions)),
            format!("preferred version   {}", self.preferred_version),
            format!("known versions      {}", list(&self.known_versions)),
        ];
        for declared in &self.client_capabilities {
            lines.push(format!(
                "declares in v{}      {}",
                declared.protocol_version,
                declared.capabilities.get()
            ));
        }
        lines.push(format!(
            "handles             {}",
            self.client_methods.join(", ")
        ));
        lines.push(format!("transport_wired     {}", self.transport_wired));
        for transport in &self.transports {
            let wired = if transport.transport_wired {
                "wired"
            } else {
                "not wired"
            };
            lines.push(format!(
                "  {:<16}  {:<9}  {}",
                transport.name, wired, transport.used_by
            ));
        }
        lines.push(String::from("upstream"));
        for pin in &self.upstream {
            lines.push(format!("  {:<40}  {}", pin.name, pin.version));
        }
        lines.push(String::new());
        lines.join("\n")
    }
}

/// What an agent may send: what every client handles, and what the declaration opens.
fn handled() -> Vec<Method> {
    let declared = offer::declaration().methods();
    let mut methods: Vec<Method> = Vec::new();
    for spec in CLIENT_METHODS
        .iter()
        .filter(|spec| SPOKEN.contains(&spec.version))
    {
        let is_handled = match spec.gate {
            Gate::Baseline => true,
            Gate::Capability(Side::Client, _) => declared.contains(&spec.method),
            _ => false,
        };
        if is_handled && !methods.contains(&spec.method) {
            methods.push(spec.method);
        }
    }
    methods
}

/// How the other side can be reached, and which verbs do: read off the command line that clap knows.
fn transports() -> Vec<Transport> {
    let program = Low::command();
    let transport = |name, reaches: fn(&clap::Command) -> bool| {
        let verbs: Vec<String> = program
            .get_subcommands()
            .filter(|verb| reaches(verb))
            .map(|verb| format!("{} {}", program.get_name(), verb.get_name()))
            .collect();
        Transport {
            name,
            transport_wired: !verbs.is_empty(),
            used_by: verbs.join(", "),
        }
    };
    vec![
        transport("child process", |verb| takes(verb, "agent")),
        transport("stdio", |verb| AGENTS.contains(&verb.get_name())),
        transport("tcp", |verb| takes(verb, "listen")),
        transport("websocket", |verb| takes(verb, "url")),
    ]
}

/// The verbs that are an agent, on their own stdin and stdout.
const AGENTS: [&str; 2] = ["demo-agent", "mock"];

fn takes(verb: &clap::Command, argument: &str) -> bool {
    verb.get_arguments().any(|known| known.get_id() == argument)
}
