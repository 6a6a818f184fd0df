import { type InitializeResponse, PROTOCOL_VERSION } from '@agentclientprotocol/sdk'
import type { AgentSettings } from './settings.ts'

/** The capabilities that are on, and no key for those that are off. */
export function initializeResponse(settings: AgentSettings): InitializeResponse {
  return {
    protocolVersion: settings.fault.protocol_version ?? PROTOCOL_VERSION,
    agentInfo: { name: 'acp-agent', title: 'Agent of the tests', version: '1.0.0' },
    agentCapabilities: {
      ...(settings.load ? { loadSession: true } : {}),
      promptCapabilities: { embeddedContext: true, ...(settings.images ? { image: true } : {}) },
      mcpCapabilities: settings.mcp_http ? { http: true } : {},
      sessionCapabilities: settings.resume ? { resume: {} } : {},
    },
    authMethods: settings.auth_gateway
      ? [
          {
            id: 'gateway',
            name: 'Gateway',
            description: 'A model server with its own address and headers',
            _meta: { gateway: { protocol: 'openai' } },
          },
        ]
      : [],
  }
}
