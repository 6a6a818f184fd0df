import { randomUUID } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { harnessStore, installHarness } from '../../src/providers/index.ts'
import { openEngine } from '../../src/engine/engine.ts'
import { makeHarnessImage } from '../../src/providers/docker/images/harness-image.ts'
import { createStubTools, smallHarness } from '../../src/testing/index.ts'
import { runIn } from '../../src/testing/sandbox-client.ts'
import { describeWithDocker } from './engine.ts'
import { openDocker } from './open-docker.ts'

describeWithDocker('harnesses', (test_engine) => {
  it('are read by name in the store, and nothing beside', async () => {
    const stub = await createStubTools()
    const opened = await openDocker(stub, test_engine)
    try {
      const { endpoint } = await opened.provider.create({ sandbox_id: randomUUID(), environment: {} })
      const run = (command: string) => runIn(endpoint, command)
      // What is installed after the sandbox began is there as well.
      const bin = join(harnessStore(opened.root), 'own/1.0.0-0123456789ab/bin')
      await mkdir(bin, { recursive: true })
      await writeFile(join(bin, 'agent'), '#!/bin/sh\necho "the agent runs"\n', { mode: 0o555 })
      const folder = '"$SVC_HARNESSES_DIR"/own/1.0.0-0123456789ab'
      expect(await run(`${folder}/bin/agent`)).toEqual({ code: 0, output: 'the agent runs\n' })
      for (const denied of [
        'ls "$SVC_HARNESSES_DIR"',
        'touch "$SVC_HARNESSES_DIR"/x',
        `touch ${folder}/x`,
        `rm -f ${folder}/bin/agent`,
      ])
        expect((await run(denied)).code, denied).not.toBe(0)
      expect((await run('echo "$SVC_HARNESSES_DIR"')).output).toBe('/opt/svc/harnesses\n')
    } finally {
      await opened.dispose()
      await stub.remove()
    }
  })

  it('are held by an image where sandboxes look for them, to be read and not to be changed', async () => {
    await using small = await smallHarness()
    const { name, version, folder } = await installHarness(small.options).then((installed) => ({
      ...small.options,
      ...installed,
    }))
    const engine = await openEngine(test_engine.url)
    const tag = `svc-harness-image:${randomUUID().slice(0, 8)}`
    await makeHarnessImage(engine, {
      ...{ from: test_engine.base_image, tag },
      harnesses: [{ name, version, folder }],
    })
    const place = `/opt/svc/harnesses/${name}/${version}`
    const looks = [
      `cat ${place}/node_modules/.bin/small-agent`,
      `touch ${place}/x || echo refused`,
      `rm -f ${place}/node_modules/small-part/index.js || echo refused`,
      `cat ${place}/node_modules/small-part/index.js`,
      'id -u',
    ]
    const container = await engine.docker.createContainer({
      ...{
        Image: tag,
        Cmd: ['/bin/sh', '-c', looks.map((look) => `${look} 2>/dev/null`).join('; ')],
        Tty: true,
      },
      HostConfig: { NetworkMode: 'none' },
    })
    try {
      await container.start()
      await container.wait()
      const printed = String(await container.logs({ stdout: true })).replaceAll('\r', '')
      expect(printed).toContain('console.log(require("small-part"))')
      expect(printed.match(/refused/g)).toHaveLength(2)
      expect(printed).toContain('module.exports = "a part"')
      expect(printed.trim().split('\n').at(-1)).toBe('1000')
      const { Config } = await engine.docker.getImage(tag).inspect()
      expect(Config.Labels?.['svc.harnesses']).toBe(`${name}@${version}`)
    } finally {
      await container.remove({ force: true })
      await engine.docker.getImage(tag).remove({ force: true })
    }
  })
})
