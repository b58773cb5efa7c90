//! What a newer peer says is kept.
