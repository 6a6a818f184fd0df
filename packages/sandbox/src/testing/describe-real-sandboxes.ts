import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { ProviderFixture, RealSandboxes } from './describe-sandbox-provider.ts'
import { processesNaming } from './host-processes.ts'
import { call, environmentOf, post, runIn, until } from './sandbox-client.ts'

const spec = (environment: Readonly<Record<string, string>> = {}) => ({
  sandbox_id: randomUUID(),
  environment,
})

/** A number of seconds that no other process sleeps, to find ours by. */
const newMarker = () => `90000.${randomUUID().replace(/\D/g, '').slice(0, 12)}`

/** Names that a shell or a loader may add on the way. */
const harmless = new Set(['PWD', 'OLDPWD', 'SHLVL', '_', '__CF_USER_TEXT_ENCODING'])
/** The variables of a proxy that is the only way out. */
const proxyNames = [
  ...['HTTP_PROXY', 'HTTPS_PROXY', 'NODE_USE_ENV_PROXY', 'NO_PROXY'],
  ...['http_proxy', 'https_proxy', 'no_proxy'],
]

const places = ['HOME', 'LANG', 'LOGNAME', 'PATH', 'TMPDIR', 'USER']

/** The promises about sandboxes that run processes. */
export function describeRealSandboxes(current: () => ProviderFixture): void {
  const real = (name: string, test: (fixture: ProviderFixture, real: RealSandboxes) => Promise<void>) =>
    it(name, async () => {
      const fixture = current()
      if (fixture.real === null) throw new Error('This fixture runs no processes')
      await test(fixture, fixture.real)
    })

  describe('what runs in it', () => {
    real('answers at its endpoint', async ({ provider }) => {
      const { external_id, endpoint } = await provider.create(spec())
      expect(await runIn(endpoint, 'echo hello')).toEqual({ code: 0, output: 'hello\n' })
      expect((await provider.exitReport(external_id)).output).toContain('stub agent listening')
    })

    real('has the given environment and nothing of the host’s', async ({ provider }, { proxied }) => {
      process.env['SVC_HOST_CANARY'] = 'leaked'
      try {
        const given = { SVC_SESSION_ID: 'session', A_SECRET: 'with "quotes" and\nlines', EMPTY: '' }
        const { endpoint } = await provider.create(spec(given))
        const environment = await environmentOf(endpoint)
        expect(environment).toMatchObject(given)
        const others = Object.keys(environment).filter(
          (name) => !(name in given) && !harmless.has(name) && !name.startsWith('SVC_'),
        )
        expect(others.toSorted()).toEqual([...places, ...(proxied ? proxyNames : [])].toSorted())
        expect(Object.values(environment).join('\n')).not.toContain('leaked')
      } finally {
        delete process.env['SVC_HOST_CANARY']
      }
    })

    real(
      'is told of its proxy in every spelling, whatever a project says',
      async ({ provider }, { proxied }) => {
        const given = Object.fromEntries(proxyNames.map((name) => [name, `of the project: ${name}`]))
        const { endpoint } = await provider.create(spec(given))
        const environment = await environmentOf(endpoint)
        if (!proxied) return expect(environment).toMatchObject(given)
        const { HTTP_PROXY: url, NO_PROXY: direct } = environment
        expect(url).toMatch(/^http:\/\/127\.0\.0\.\d+:\d+$/)
        expect(direct?.split(',')).toEqual(expect.arrayContaining(['localhost', '127.0.0.1', '::1']))
        const urls = { HTTPS_PROXY: url, http_proxy: url, https_proxy: url }
        expect(environment).toMatchObject({ ...urls, no_proxy: direct, NODE_USE_ENV_PROXY: '1' })
      },
    )

    real('keeps secrets off every command line of the machine', async ({ provider }) => {
      const secret = randomUUID()
      const { endpoint } = await provider.create(spec({ A_SECRET: secret }))
      await environmentOf(endpoint)
      expect(await processesNaming(secret)).toEqual([])
    })

    real('works in its workspace, as an ordinary user, with its tools', async ({ provider }) => {
      const { endpoint } = await provider.create(spec())
      const { output } = await runIn(
        endpoint,
        'test "$(pwd -P)" = "$(cd "$SVC_WORKSPACE" && pwd -P)" && id -u && command -v svc-agent',
      )
      const [uid, agent] = output.trim().split('\n')
      expect(Number(uid)).toBeGreaterThan(0)
      expect(agent).toMatch(/\/bin\/svc-agent$/)
      expect(
        (await runIn(endpoint, 'echo x > "$HOME/a" && echo x > "$TMPDIR/b" && echo x > "$SVC_RUN_DIR/c"'))
          .code,
      ).toBe(0)
      expect((await runIn(endpoint, 'agentrt')).output).toContain('not installed')
    })

    real('keeps its files over three stops and starts', async ({ provider }) => {
      const created = await provider.create(spec({ ROUND: '0' }))
      let endpoint = created.endpoint
      for (const round of ['1', '2', '3']) {
        await runIn(endpoint, `echo ${round} >> "$SVC_WORKSPACE/rounds"; echo ${round} >> "$HOME/rounds"`)
        await provider.stop(created.external_id)
        endpoint = (await provider.start(created.external_id, { ROUND: round })).endpoint
        expect((await environmentOf(endpoint))['ROUND']).toBe(round)
      }
      const { output } = await runIn(endpoint, 'cat "$SVC_WORKSPACE/rounds" "$HOME/rounds"')
      expect(output.split(/\s+/).filter(Boolean)).toEqual(['1', '2', '3', '1', '2', '3'])
    })

    real('keeps its environment when started without one', async ({ provider }) => {
      const { external_id } = await provider.create(spec({ KEPT: 'yes' }))
      await provider.stop(external_id)
      const { endpoint } = await provider.start(external_id)
      expect((await environmentOf(endpoint))['KEPT']).toBe('yes')
    })

    real('starts with another environment, of which nothing older is kept', async ({ provider }) => {
      const old = `old-${randomUUID()}`
      const { external_id } = await provider.create(spec({ OLD: old, KEPT: 'yes' }))
      await provider.stop(external_id)
      const { OLD: _, ...rest } = (await provider.environment(external_id)) ?? {}
      const { endpoint } = await provider.start(external_id, { ...rest, NEW: 'new' })
      const environment = await environmentOf(endpoint)
      expect(environment).toMatchObject({ KEPT: 'yes', NEW: 'new' })
      expect(Object.values(environment)).not.toContain(old)
      expect(Object.values((await provider.environment(external_id)) ?? {})).not.toContain(old)
    })

    real('changes hands: its next start is the new one’s', async ({ provider }) => {
      if (provider.adopt === undefined) return
      const { external_id, endpoint } = await provider.create(spec({ WHOSE: 'nobody’s' }))
      await environmentOf(endpoint)
      await provider.adopt(external_id, { WHOSE: 'theirs' })
      expect((await environmentOf(endpoint))['WHOSE']).toBe('nobody’s')
      expect(await provider.environment(external_id)).toMatchObject({ WHOSE: 'theirs' })
      await provider.stop(external_id)
      await expect(provider.adopt(external_id, { WHOSE: 'too late' })).rejects.toMatchObject({ kind: 'gone' })
      const started = await provider.start(external_id)
      expect((await environmentOf(started.endpoint))['WHOSE']).toBe('theirs')
    })

    real('begins anew after it was destroyed', async ({ provider }) => {
      const again = spec()
      const { external_id, endpoint } = await provider.create(again)
      await runIn(endpoint, 'touch "$SVC_WORKSPACE/old" "$HOME/old"')
      await provider.destroy(external_id)
      const fresh = await provider.create(again)
      expect((await runIn(fresh.endpoint, 'ls "$SVC_WORKSPACE" "$HOME"')).output).not.toContain('old')
    })
  })

  describe('how it ends', () => {
    real(
      'leaves nothing alive, not even what left its session and forgot its environment',
      async ({ provider }) => {
        const { external_id, endpoint } = await provider.create(spec())
        const marker = newMarker()
        await call(endpoint, '/leave-behind', `setsid sleep ${marker} & sleep ${marker}`)
        await until(
          'two sleepers',
          () => processesNaming(marker),
          (pids) => pids.length >= 2,
        )
        await provider.stop(external_id)
        expect(await processesNaming(marker)).toEqual([])
      },
    )

    real('leaves nothing alive after it was destroyed', async ({ provider }) => {
      const { external_id, endpoint } = await provider.create(spec())
      const marker = newMarker()
      await call(endpoint, '/leave-behind', `sleep ${marker}`)
      await until(
        'a sleeper',
        () => processesNaming(marker),
        (pids) => pids.length > 0,
      )
      await provider.destroy(external_id)
      expect(await processesNaming(marker)).toEqual([])
    })

    real('ends what a dead daemon left behind before it starts again', async ({ provider, crash }) => {
      const { external_id, endpoint } = await provider.create(spec())
      const marker = newMarker()
      await runIn(endpoint, `setsid sleep ${marker} > /dev/null 2>&1 &`)
      await until(
        'a sleeper',
        () => processesNaming(marker),
        (pids) => pids.length > 0,
      )
      await crash(external_id)
      await until(
        'stopped',
        () => provider.status(external_id),
        (status) => status === 'stopped',
      )
      await provider.start(external_id)
      expect(await processesNaming(marker)).toEqual([])
    })

    real(
      'stopping ends what a dead daemon left behind, and keeps its last words',
      async ({ provider, crash }) => {
        const { external_id, endpoint } = await provider.create(spec())
        const marker = newMarker()
        await runIn(endpoint, `setsid sleep ${marker} > /dev/null 2>&1 &`)
        await until(
          'a sleeper',
          () => processesNaming(marker),
          (pids) => pids.length > 0,
        )
        await crash(external_id)
        await until(
          'stopped',
          () => provider.status(external_id),
          (status) => status === 'stopped',
        )
        const words = await provider.exitReport(external_id)
        expect(words.exit).not.toBeNull()
        await provider.stop(external_id)
        expect(await processesNaming(marker)).toEqual([])
        expect(await provider.exitReport(external_id)).toEqual(words)
      },
    )

    real('its last words are those of its last run', async ({ provider, crash }) => {
      const { external_id, endpoint } = await provider.create(spec())
      await environmentOf(endpoint)
      await provider.stop(external_id)
      await environmentOf((await provider.start(external_id)).endpoint)
      await crash(external_id)
      await until(
        'stopped',
        () => provider.status(external_id),
        (status) => status === 'stopped',
      )
      const { output } = await provider.exitReport(external_id)
      expect(output.match(/stub agent listening/g)).toHaveLength(1)
    })

    real('remembers how the daemon exited', async ({ provider }) => {
      const { external_id, endpoint } = await provider.create(spec())
      await environmentOf(endpoint)
      // Its answer may be lost on the way, with what it ran in.
      await post(endpoint, '/exit', '7').catch(() => null)
      await until(
        'stopped',
        () => provider.status(external_id),
        (status) => status === 'stopped',
      )
      expect(await provider.exitReport(external_id)).toMatchObject({
        exit: 'exited with code 7',
        output: expect.stringContaining('stub agent listening'),
      })
    })
  })

  describe('who manages it', () => {
    real('is adopted by another process of the same deployment', async ({ provider }, { another }) => {
      const running = spec()
      const { external_id, endpoint } = await provider.create(running)
      await environmentOf(endpoint)
      await provider.close({ stop_sandboxes: false })
      const next = await another()
      expect(await next.list()).toEqual([external_id])
      expect(await next.status(external_id)).toBe('running')
      expect(await next.create(running)).toEqual({ external_id, endpoint })
      await next.stop(external_id)
      expect(await provider.status(external_id)).toBe('stopped')
      await next.close({ stop_sandboxes: false })
    })

    real('is one sandbox when two processes create it at once', async ({ provider }, { another }) => {
      const next = await another()
      const both = spec()
      const made = await Promise.all([provider.create(both), next.create(both), provider.create(both)])
      expect(new Set(made.map(({ external_id }) => external_id)).size).toBe(1)
      await next.close({ stop_sandboxes: false })
    })

    real('is not seen by another deployment', async ({ provider }, { foreign }) => {
      const shared = spec()
      const { external_id } = await provider.create(shared)
      const other = await foreign()
      expect(await other.list()).toEqual([])
      expect(await other.status(external_id)).toBe('removed')
      await other.stop(external_id)
      await other.destroy(external_id)
      expect(await provider.status(external_id)).toBe('running')
      const theirs = await other.create(shared)
      expect(theirs.external_id).not.toBe(external_id)
      await other.destroy(theirs.external_id)
      await other.close({ stop_sandboxes: false })
    })

    real('is apart from its neighbour', async ({ provider }) => {
      const [one, two] = await Promise.all([provider.create(spec()), provider.create(spec())])
      expect(one.endpoint).not.toEqual(two.endpoint)
      await Promise.all([environmentOf(one.endpoint), environmentOf(two.endpoint)])
      await provider.stop(one.external_id)
      expect((await runIn(two.endpoint, 'echo still here')).output).toBe('still here\n')
    })
  })
}
