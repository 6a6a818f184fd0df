import { createSocket } from 'node:dgram'
import { resolve4 } from 'node:dns/promises'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { binaries } from './runtime-binary.ts'
import { coderFile } from './coder-file.ts'
import { readName } from './harness/name-watch.ts'
import { makeSandbox } from './sandbox.ts'

/** Runs a session where nothing but loopback exists and every name that is looked up is written down. */
async function main(bundle: string, resultFile: string): Promise<void> {
  const names: string[] = []
  const dns = createSocket('udp4')
  dns.on('message', (query, from) => {
    names.push(readName(query))
    // NXDOMAIN at once: a look-up must show up here, not slow the test down.
    const answer = Buffer.from(query)
    answer.writeUInt16BE(0x8183, 2)
    dns.send(answer, from.port, from.address)
  })
  dns.bind(53, '127.0.0.1')
  await once(dns, 'listening')

  const sandbox = await makeSandbox({
    bundle,
    binaries: binaries(),
    address: '127.0.0.2',
  })
  try {
    const tool =
      'export default { description: "says hi", args: {}, async execute() { return "hi from the tool" } }\n'
    sandbox.origin.commit('main', {
      'README.md': 'hello\n',
      '.svc/agentrt/agents/coder.md': coderFile,
      '.svc/agentrt/tools/hi.ts': tool,
    })
    sandbox.origin.commit(sandbox.session_id, {}, 'main')
    sandbox.model.on('work offline', [
      { tool: { name: 'hi', args: {} } },
      { tool: { name: 'bash', args: { command: 'ls', description: 'lists' } } },
      { tool: { name: 'grep', args: { pattern: 'hello' } } },
      { text: 'done' },
    ])
    sandbox.start({ SVC_INITIAL_PROMPT: 'work offline' })
    const { status } = await sandbox.turnEnd(sandbox.session_id)
    const tools = sandbox.platform
      .events('tool')
      .flatMap(({ payload }) => (payload['status'] === 'completed' ? [payload['tool']] : []))
    // Proof that a look-up would have been seen.
    await resolve4('proof.invalid').catch(() => undefined)
    writeFileSync(resultFile, JSON.stringify({ names, status, tools }))
  } finally {
    await sandbox.close()
    dns.close()
  }
}

main(process.argv[2] ?? '', process.argv[3] ?? '').catch((error: unknown) => {
  console.error(error)
  process.exit(1)
})
