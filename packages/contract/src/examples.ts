/** What a request looks like, for the reference. */
export const examples = {
  createToken: { name: 'laptop', expires_at: '2030-01-01T00:00:00Z' },
  createProjectToken: { name: 'ci' },
  provisionProject: { name: 'Shop', idempotency_key: 'shop-1' },
  connectProject: {
    name: 'Shop',
    repo_url: 'https://github.com/example/shop.git',
    credential: { token: 'ghp_…' },
  },
  updateProject: { name: 'Web shop' },
  createSecret: { name: 'STRIPE_KEY', value: 'sk_test_…' },
  putSecret: { value: 'sk_test_…' },
  createSession: {
    initial_prompt: 'Fix the typo in the README',
    name: 'readme typo',
    labels: ['docs'],
    runtime_context: { ticket: 'SHOP-12' },
  },
  updateSession: { name: 'readme typos' },
  promptSession: { text: 'Now the same in the other languages' },
  createChangeRequest: {
    title: 'Fix the typo in the README',
    description: 'It said "recieve".',
    head_ref: '9119386e-bba7-4b48-8067-08a915c179ba',
  },
  updateChangeRequest: { title: 'Fix two typos in the README' },
  mergeChangeRequest: { expected_head_sha: 'b360ce44b61ea37103c3383d931c96bd88c73178' },
  requestChanges: { feedback: 'Please add a test for the empty cart.' },
} as const
