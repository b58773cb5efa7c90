//! Tests of the transport from outside: real processes, in-memory links.

mod smoke;
