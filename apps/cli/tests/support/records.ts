export const projectId = '11111111-1111-4111-8111-111111111111'
export const otherProjectId = '22222222-2222-4222-8222-222222222222'
export const sessionId = 'abcd1234-5555-4555-8555-555555555555'
export const crUuid = '33333333-3333-4333-8333-333333333333'
const accountId = '44444444-4444-4444-8444-444444444444'
const at = '2026-01-01T00:00:00Z'

export const usage = {
  calls: 3,
  input_tokens: 1200,
  output_tokens: 34,
  cost_micros: 12_300,
  unpriced_calls: 0,
}

export const me = {
  user_id: '66666666-6666-4666-8666-666666666666',
  email: 'ada@example.com',
  name: 'Ada',
  account_id: accountId,
  accounts: [{ account_id: accountId, name: 'Ada', role: 'owner', tier: 'self_host' }],
}

export function project(fields: object = {}) {
  return {
    project_id: projectId,
    account_id: accountId,
    name: 'Shop',
    slug: 'shop',
    repo_url: 'https://git.example.com/shop.git',
    git_origin_url: null,
    default_branch: 'main',
    status: 'active',
    metadata: {},
    created_by: me.user_id,
    created_at: at,
    updated_at: at,
    project_role: 'manager',
    ...fields,
  }
}

export function session(fields: object = {}) {
  return {
    session_id: sessionId,
    account_id: accountId,
    project_id: projectId,
    branch_name: sessionId,
    base_ref: 'main',
    status: 'running',
    error: null,
    stop_reason: null,
    failure: null,
    agent_name: 'default',
    harness: 'claude',
    harness_version: '0.49.0',
    model: null,
    name: 'Fix the shop',
    metadata: {},
    origin: 'user',
    origin_ref: null,
    labels: [],
    parent_session_id: null,
    sandbox_provider: 'process',
    sandbox_id: sessionId,
    external_id: 'box-1',
    runtime_session_id: 'r-1',
    runtime_status: 'active',
    runtime_url: '/v1/p/box-1/8000/svc/runtime',
    visibility: 'private',
    created_by: me.user_id,
    created_at: at,
    updated_at: at,
    started_at: at,
    stopped_at: null,
    usage,
    ...fields,
  }
}

/** The agent of that session, as it described itself. */
export function sessionRuntime(fields: object = {}) {
  const description = null
  const modes = ['default', 'plan'].map((value) => ({ value, name: value }))
  return {
    harness: 'claude',
    version: '0.49.0',
    auth: 'gateway',
    metered: true,
    state: 'ready',
    agent_info: null,
    protocol_version: 1,
    capabilities: {
      ...{ revert: false, resume: true, images: true, questions: false },
      ...{ permissions: 'never', commands: true, mcp: ['http'] },
    },
    config_options: [
      {
        ...{ id: 'mode', name: 'Mode', type: 'select', category: 'mode', description },
        ...{ currentValue: 'default', options: modes },
      },
      {
        ...{ id: 'fast', name: 'Fast', type: 'boolean', category: null, description },
        ...{ currentValue: false, options: [] },
      },
    ],
    commands: [],
    updated_at: at,
    ...fields,
  }
}

export function changeRequest(fields: object = {}) {
  return {
    cr_id: crUuid,
    account_id: accountId,
    project_id: projectId,
    number: 3,
    title: 'Fix rounding',
    description: 'Prices were off by one cent.',
    base_ref: 'main',
    head_ref: 'fix',
    status: 'open',
    head_commit_sha: 'a'.repeat(40),
    base_commit_sha: 'b'.repeat(40),
    origin_session_id: null,
    created_by: me.user_id,
    merged_at: null,
    merged_by: null,
    merge_commit_sha: null,
    closed_at: null,
    closed_by: null,
    metadata: {},
    created_at: at,
    updated_at: at,
    ...fields,
  }
}

export function preview(fields: object = {}) {
  return {
    base_sha: 'b'.repeat(40),
    head_sha: 'a'.repeat(40),
    merge_base: 'b'.repeat(40),
    is_up_to_date: false,
    can_merge: true,
    can_fast_forward: true,
    conflicts: [],
    ahead: 1,
    behind: 0,
    manifest: { valid: true, issues: [], blocks: false },
    ...fields,
  }
}
