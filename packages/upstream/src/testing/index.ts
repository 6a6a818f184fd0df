export { composioKey, fakeComposio } from './fake-composio.ts'
export { fakePipedream, pipedreamClient } from './fake-pipedream.ts'
export type { FakeAggregator } from './fake-server.ts'
export { type GuardedOptions, startGuardedMcp } from './guarded-mcp.ts'
