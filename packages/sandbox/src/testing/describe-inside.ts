import { randomUUID } from 'node:crypto'
import { describe, expect } from 'vitest'
import type { ProviderFixture } from './describe-sandbox-provider.ts'
import { processesNaming } from './host-processes.ts'
import { environmentOf, runIn } from './sandbox-client.ts'
import { realTests, spec } from './real-test.ts'

/** Names that a shell or a loader may add on the way. */
const harmless = new Set(['PWD', 'OLDPWD', 'SHLVL', '_', '__CF_USER_TEXT_ENCODING'])
/** The variables of a proxy that is the only way out. */
const proxyNames = [
  ...['HTTP_PROXY', 'HTTPS_PROXY', 'NODE_USE_ENV_PROXY', 'NO_PROXY'],
  ...['http_proxy', 'https_proxy', 'no_proxy'],
]

const places = ['HOME', 'LANG', 'LOGNAME', 'PATH', 'TMPDIR', 'USER']

/** The promises about what runs in a sandbox: its environment, its user, its files. */
export function describeInside(current: () => ProviderFixture): void {
  const real = realTests(current)

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
}
