//! Logging in: what both versions say in the same way.

use crate::{
    id::AuthMethodId,
    wire::macros::{open_enum, wire_struct},
};

wire_struct! {
    /// Params of `authenticate`, which logs in.
    pub struct AuthenticateRequest: S / N [meta] {
        /// The way to log in.
        required method_id: AuthMethodId = "methodId": S / N,
    }
    new(method_id: AuthMethodId);
}

wire_struct! {
    /// Result of `authenticate`.
    pub struct AuthenticateResponse: S / N [meta null] {
    }
    new();
}

wire_struct! {
    /// Params of `logout`, which logs out.
    pub struct LogoutRequest: S / N [meta null] {
    }
    new();
}

wire_struct! {
    /// Result of `logout`.
    pub struct LogoutResponse: S / N [meta null] {
    }
    new();
}

wire_struct! {
    /// Params of `auth/status`, which asks who is logged in.
    pub struct AuthStatusRequest: U / U [meta null] {
    }
    new();
}

wire_struct! {
    /// Result of `auth/status`.
    pub struct AuthStatusResponse: U / U [meta] {
        /// Whether somebody is logged in.
        required state: AuthState = "state": U / U,
        /// The accounts.
        quiet_entries accounts: Vec<AuthAccount> = "accounts": U / U,
    }
    new(state: AuthState);
}

wire_struct! {
    /// Params of `auth/status_update`: who is logged in now.
    pub struct AuthStatusUpdateNotification: U / U [meta] {
        /// Whether somebody is logged in.
        required state: AuthState = "state": U / U,
        /// The accounts.
        quiet_entries accounts: Vec<AuthAccount> = "accounts": U / U,
    }
    new(state: AuthState);
}

open_enum! {
    /// Whether somebody is logged in. A value that is not known means `unknown`.
    pub enum AuthState: U / U {
        /// Somebody is logged in.
        Authenticated = "authenticated": U / U,
        /// Nobody is logged in.
        Unauthenticated = "unauthenticated": U / U,
        /// Nobody needs to be.
        NotRequired = "not_required": U / U,
        /// The agent cannot tell.
        Unknown = "unknown": U / U,
    }
}

wire_struct! {
    /// An account, for display.
    pub struct AuthAccount: U / U [meta] {
        /// The line to show.
        required label: Box<str> = "label": U / U,
        /// Whether it is in use.
        lenient active: Option<bool> = "active": U / U,
        /// The name.
        lenient name: Option<Box<str>> = "name": U / U,
        /// Its address.
        lenient email: Option<Box<str>> = "email": U / U,
        /// Its organization.
        lenient organization: Option<Box<str>> = "organization": U / U,
        /// A longer explanation to show.
        lenient description: Option<Box<str>> = "description": CU / CU,
    }
    new(label: Box<str>);
}
