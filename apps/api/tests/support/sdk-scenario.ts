import type * as Sdk from '@svc/sdk'

export interface Place {
  readonly api_url: string
  readonly token: string
  /** A name that tells its objects apart from those of the other place. */
  readonly name: string
}

/**
 * A program that uses the SDK, and returns plain values. It uses nothing but its arguments, so that its text runs in
 * a browser as it does here.
 */
export async function sdkScenario(sdk: typeof Sdk, { api_url, token, name }: Place) {
  const events: Sdk.DebugEvent[] = []
  const client = sdk.createClient({ api_url, token, debug: (event) => events.push(event) })
  const { projects } = client

  const health = await client.health()
  const me = await client.me({ request_id: `scenario-${name}` })
  const answered = events.find((event) => event.kind === 'response' && event.url.endsWith('/me'))

  const wanted = { name, idempotency_key: `scenario-${name}` }
  const made = await projects.provision(wanted)
  const again = await projects.provision(wanted)
  const { project_id } = made
  const renamed = await projects.update(project_id, { name: `${name} 2` })
  const secret = await projects.secrets.set(project_id, 'API_KEY', 'x')

  const key = { idempotency_key: `session-${name}` }
  const first = await projects.sessions.create(project_id, { name: 'first' }, key)
  const repeated = await projects.sessions.create(project_id, { name: 'first' }, key)
  await projects.sessions.create(project_id, { name: 'second' })
  const names: (string | null)[] = []
  for await (const session of projects.sessions.list(project_id, { limit: 1 })) names.push(session.name)

  for (const text of ['one', 'two']) await projects.sessions.prompt(project_id, first.session_id, { text })
  const stored = await projects.sessions.events(project_id, first.session_id)

  // The answer ends after every event: the stream has to go on behind it.
  let connections = 0
  const cutting = sdk.createClient({
    api_url,
    token,
    fetch: async (url, init) => {
      const response = await fetch(url, init)
      if (response.body === null || !url.includes('/events')) return response
      connections += 1
      let text = ''
      const [decoder, encoder] = [new TextDecoder(), new TextEncoder()]
      const cut = new TransformStream<Uint8Array, Uint8Array>({
        transform(chunk, controller) {
          text += decoder.decode(chunk, { stream: true })
          const event = /data: [^]*?\n\n/.exec(text)
          if (event === null) return
          controller.enqueue(encoder.encode(text.slice(0, event.index + event[0].length)))
          controller.terminate()
        },
      })
      const { status, headers } = response
      return new Response(response.body.pipeThrough(cut), { status, headers })
    },
  })
  const streamed: number[] = []
  for await (const event of cutting.projects.sessions.stream(project_id, first.session_id)) {
    streamed.push(event.seq)
    if (event.seq === stored.last_seq) break
  }

  const refusal = async (promise: PromiseLike<unknown>) => {
    try {
      await promise
    } catch (error) {
      if (!sdk.isApiError(error)) return { code: String(error), status: 0, request_id: null, issues: [] }
      const { code, status, request_id, issues } = error
      return { code, status, request_id, issues: issues.map(({ path }) => path) }
    }
    return null
  }
  const missing = await refusal(projects.sessions.get(project_id, project_id))
  const invalid = await refusal(projects.sessions.update(project_id, first.session_id, { labels: [''] }))
  const unauthorized = await refusal(sdk.createClient({ api_url, token: 'svc_pat_x' }).me())
  const aborted = await refusal(client.me({ signal: AbortSignal.abort(new Error('enough')) }))

  await projects.sessions.delete(project_id, first.session_id)
  const deleted = await refusal(projects.sessions.get(project_id, first.session_id))
  return {
    health: health.status,
    email: me.email,
    answered: answered?.kind === 'response' ? answered.request_id : null,
    project: { same: made.project_id === again.project_id, name: renamed.name, secret: secret.name },
    sessions: { same: first.session_id === repeated.session_id, names },
    stream: {
      whole: JSON.stringify(streamed) === JSON.stringify(stored.events.map(({ seq }) => seq)),
      events: streamed.length,
      connections,
    },
    missing,
    invalid,
    unauthorized,
    aborted,
    deleted: deleted?.status,
    secret_told: JSON.stringify(events).includes(token),
  }
}
