//! Names of the schema that are other types here.

use crate::{
    describe::{Shape, TypeInfo},
    stability::{Presence, label},
    wire::TypeRef,
};

/// `Name: v1 / v2 = reference, doc;`
macro_rules! aliases {
    ($($name:ident: $v1:ident / $v2:ident = $target:expr, $doc:literal;)*) => {
        /// Names of the schema that stand for another type of this crate.
        pub static ALIASES: &[&TypeInfo] = &[$(&TypeInfo {
            name: stringify!($name),
            doc: $doc,
            presence: Presence::new(label::$v1, label::$v2),
            shape: Shape::Alias($target),
            recode: None,
        },)*];
    };
}

aliases! {
    AbsolutePath: N / S = TypeRef::Scalar("string"), "An absolute path on the machine of the agent.";
    MediaType: N / S = TypeRef::Scalar("string"), "A media type.";
    SessionListCursor: N / S = TypeRef::Scalar("string"), "Where a page of a list starts; opaque.";
    AvailableCommandInput: S / N = TypeRef::Named("UnstructuredCommandInput"),
        "What a command takes: in version 1 there is one kind.";
    CancelSessionNotification: N / S = TypeRef::Named("CancelNotification"),
        "Params of `session/cancel`.";
    LoginAuthRequest: N / S = TypeRef::Named("AuthenticateRequest"), "Params of `auth/login`.";
    LoginAuthResponse: N / S = TypeRef::Named("AuthenticateResponse"), "Result of `auth/login`.";
    LogoutAuthRequest: N / S = TypeRef::Named("LogoutRequest"), "Params of `auth/logout`.";
    LogoutAuthResponse: N / S = TypeRef::Named("LogoutResponse"), "Result of `auth/logout`.";
    InitializeProxyRequest: U / U = TypeRef::Named("InitializeRequest"),
        "Params of `proxy/initialize`: the same as those of `initialize`.";
    InitializeProxyResponse: U / U = TypeRef::Named("InitializeResponse"),
        "Result of `proxy/initialize`: the same as that of `initialize`.";
    ProxySuccessorResponse: U / U = TypeRef::Scalar("any"),
        "Result of `proxy/successor`: the inner result.";
}
