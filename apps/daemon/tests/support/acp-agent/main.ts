import { spawn } from 'node:child_process'
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { ndJsonStream } from '@agentclientprotocol/sdk'
import { createConversations } from './conversation.ts'
import { createAgent } from './create-agent.ts'
import { createCrash } from './crash.ts'
import { createOutput } from './output.ts'
import { readEnvironment } from './settings.ts'

/** An agent of the Agent Client Protocol whose abilities and misbehaviours a test chooses, in `ACP_AGENT`. */
async function main(): Promise<void> {
  const environment = readEnvironment(process.env)
  const { settings, home, gateway } = environment
  const crash = createCrash(settings)
  crash('start')
  if (settings.fault.holds_pipes) {
    const holder = ['-c', 'exec -a holder-of-pipes sleep 600']
    spawn('bash', holder, { detached: true, stdio: ['ignore', 'inherit', 'inherit'] }).unref()
  }
  await sleep(settings.fault.slow_start_ms)
  // A client that has gone away reads no more.
  process.stdout.on('error', () => process.exit(0))
  const output = createOutput(process.stdout)
  const app = createAgent({
    environment,
    conversations: createConversations(home),
    sessions: new Map(),
    crash,
    raw: output.raw,
    capabilities: {},
    gateway: settings.auth_gateway ? null : gateway,
  })
  const input: ReadableStream<Uint8Array> = Readable.toWeb(process.stdin)
  await app.connect(ndJsonStream(output.stream, input)).closed
  process.exit(0)
}

void main()
