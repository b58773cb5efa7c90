//! Taking back a request.

use crate::{request_id::RequestId, wire::macros::wire_struct};

wire_struct! {
    /// Params of `$/cancel_request`: the sender no longer wants the answer to a request of its
    /// own.
    pub struct CancelRequestNotification: S / S [meta] {
        /// The request, which the sender itself made.
        required request_id: RequestId = "requestId": S / S,
    }
    new(request_id: RequestId);
}
