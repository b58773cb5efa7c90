//! Providers of language models.

use std::collections::BTreeMap;

use crate::{
    id::ProviderId,
    wire::macros::{open_enum, wire_struct},
};

wire_struct! {
    /// Params of `providers/list`, which lists providers of models.
    pub struct ListProvidersRequest: U / U [meta null] {
    }
    new();
}

wire_struct! {
    /// Result of `providers/list`.
    pub struct ListProvidersResponse: U / U [meta] {
        /// The providers.
        required providers: Vec<ProviderInfo> = "providers": U / U,
    }
    new(providers: Vec<ProviderInfo>);
}

wire_struct! {
    /// A provider of language models that the agent knows.
    pub struct ProviderInfo: U / U [meta] {
        /// The provider.
        required provider_id: ProviderId = "providerId": U / U,
        /// The APIs that it can speak.
        entries supported: Vec<LlmProtocol> = "supported": U / U,
        /// Whether it must not be turned off.
        required required: bool = "required": U / U,
        /// How it is set up; absent when it is off.
        optional current: Option<ProviderCurrentConfig> = "current": U / U,
    }
    new(provider_id: ProviderId, supported: Vec<LlmProtocol>, required: bool);
}

wire_struct! {
    /// How a provider is set up now.
    pub struct ProviderCurrentConfig: U / U [meta] {
        /// The API that it speaks.
        required api_type: LlmProtocol = "apiType": U / U,
        /// Where it is.
        required base_url: Box<str> = "baseUrl": U / U,
    }
    new(api_type: LlmProtocol, base_url: Box<str>);
}

open_enum! {
    /// The API that a provider of language models speaks.
    pub enum LlmProtocol: U / U {
        /// Anthropic.
        Anthropic = "anthropic": U / U,
        /// `OpenAI`.
        Openai = "openai": U / U,
        /// Azure.
        Azure = "azure": U / U,
        /// Vertex AI.
        Vertex = "vertex": U / U,
        /// Bedrock.
        Bedrock = "bedrock": U / U,
    }
}

wire_struct! {
    /// Params of `providers/set`, which sets a provider up.
    pub struct SetProviderRequest: U / U [meta] {
        /// The provider.
        required provider_id: ProviderId = "providerId": U / U,
        /// The API that it speaks.
        required api_type: LlmProtocol = "apiType": U / U,
        /// Where it is.
        required base_url: Box<str> = "baseUrl": U / U,
        /// Headers to send; they may be secret.
        quiet_given headers: BTreeMap<Box<str>, Box<str>> = "headers": U / U,
    }
    new(provider_id: ProviderId, api_type: LlmProtocol, base_url: Box<str>);
}

wire_struct! {
    /// Result of `providers/set`.
    pub struct SetProviderResponse: U / U [meta null] {
    }
    new();
}

wire_struct! {
    /// Params of `providers/disable`, which turns a provider off.
    pub struct DisableProviderRequest: U / U [meta] {
        /// The provider.
        required provider_id: ProviderId = "providerId": U / U,
    }
    new(provider_id: ProviderId);
}

wire_struct! {
    /// Result of `providers/disable`.
    pub struct DisableProviderResponse: U / U [meta null] {
    }
    new();
}
