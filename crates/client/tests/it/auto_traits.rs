//! Promises that the compiler keeps: what crosses threads, and what stays small.

use acp_client::{
    Budget, Client, ClientBuilder, ClientEvents, Elicitation, Event, Handler, InitializeError,
    Inquiry, NewSession, PendingRequest, Permission, Pump, Received, RequestError, Requester,
    Session, SessionEvents, Turn, TurnOutcome,
};

const fn send<T: Send>() {}
const fn sync<T: Sync>() {}
const fn unpin<T: Unpin>() {}
const fn clone<T: Clone>() {}
const fn error<T: std::error::Error + Send + Sync + 'static>() {}

const _: () = {
    send::<Client>();
    sync::<Client>();
    clone::<Client>();
    send::<Session>();
    sync::<Session>();
    clone::<Session>();
    send::<Requester>();
    sync::<Requester>();
    clone::<Requester>();
    clone::<Budget>();
    send::<Turn>();
    sync::<Turn>();
    send::<Pump>();
    unpin::<Pump>();
    send::<ClientBuilder>();
    send::<NewSession>();
    send::<PendingRequest>();
    send::<SessionEvents>();
    send::<ClientEvents>();
    send::<Event>();
    send::<Received>();
    send::<Permission>();
    send::<Elicitation>();
    send::<Inquiry>();
    send::<TurnOutcome>();
    sync::<TurnOutcome>();
    error::<InitializeError>();
    error::<RequestError>();
};

const _: fn(std::sync::Arc<dyn Handler>) = drop;

fn sendable<F: Future + Send>(future: F) -> usize {
    size_of_val(&future)
}

#[tokio::test]
async fn futures_are_send_and_small() {
    let (end, _other) = acp_testkit::pipe(1);
    let link = acp_transport::Link::new(end.reader, end.writer);
    let client = Client::builder("host", "1.0").connect(link).unwrap();
    let sizes = [
        sendable(client.initialize()),
        sendable(client.new_session("/work").open()),
        sendable(client.load("s", "/work").open()),
        sendable(client.call("session/list", "")),
        sendable(client.close()),
        sendable(client.gone()),
    ];
    assert!(sizes.iter().all(|size| *size < 4096), "{sizes:?}");
    assert!(size_of::<Event>() <= 192, "{}", size_of::<Event>());
}
