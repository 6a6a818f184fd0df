import { client, type ClientConnection, methods, RequestError } from '@agentclientprotocol/sdk'
import type { HarnessLaunch } from '@svc/harness'
import { messageOf } from '../../log.ts'
import type { SpawnedProcess } from '../process.ts'
import type { AcpAsks } from './asks/asks.ts'
import { FormRequest } from './asks/form.ts'
import { createFiles } from './fs.ts'
import { PermissionRequest } from './asks/permission-request.ts'
import { messageStream, type StreamEvents } from './wire/stream.ts'
import type { Terminals } from './terminals.ts'

/** The abilities that the platform has for an agent. An address to visit is never shown to people: `elicitation.url` is left out. */
export const clientCapabilities = ({ client_files }: Pick<HarnessLaunch, 'client_files'>) => ({
  fs: { readTextFile: client_files, writeTextFile: client_files },
  terminal: true,
  elicitation: { form: {} },
  session: { configOptions: { boolean: {} }, notices: {}, compaction: {} },
  auth: { _meta: { gateway: true } },
})

/** Opens the protocol over the pipes of a process, and serves what the agent asks of its client. */
export function connectAgent(parts: {
  readonly child: SpawnedProcess['child']
  readonly asks: AcpAsks
  readonly terminals: Terminals
  readonly workspace: string
  readonly roots: readonly string[]
  readonly events: StreamEvents
}): ClientConnection {
  const { child, asks, terminals, workspace } = parts
  const files = createFiles(parts.roots)
  const app = client({ name: 'svc' })
    .onRequest(methods.client.session.requestPermission, lenient(PermissionRequest), ({ params }) =>
      asks.permission(params),
    )
    .onRequest(methods.client.elicitation.create, lenient(FormRequest), ({ params }) => asks.form(params))
    .onRequest(methods.client.fs.readTextFile, async ({ params: { path, line, limit } }) => ({
      content: await explained(files.read(path, line, limit)),
    }))
    .onRequest(methods.client.fs.writeTextFile, async ({ params: { path, content } }) => {
      await explained(files.write(path, content))
      return {}
    })
    .onRequest(methods.client.terminal.create, ({ params }) => ({
      terminalId: terminals.create({
        command: params.command,
        args: params.args ?? [],
        env: Object.fromEntries((params.env ?? []).map(({ name, value }) => [name, value])),
        cwd: params.cwd ?? workspace,
        limit: params.outputByteLimit ?? null,
      }),
    }))
    .onRequest(methods.client.terminal.output, ({ params }) => terminals.output(params.terminalId))
    .onRequest(methods.client.terminal.waitForExit, ({ params }) => terminals.wait(params.terminalId))
    .onRequest(methods.client.terminal.kill, ({ params }) => {
      terminals.kill(params.terminalId)
      return {}
    })
    .onRequest(methods.client.terminal.release, ({ params }) => {
      terminals.release(params.terminalId)
      return {}
    })
  return app.connect(messageStream(child, parts.events))
}

/** The library's own schemas refuse words that later versions of the protocol add. */
function lenient<T>(schema: { safeParse(value: unknown): { success: true; data: T } | { success: false } }) {
  return (value: unknown): T => {
    const read = schema.safeParse(value)
    if (read.success) return read.data
    throw RequestError.invalidParams()
  }
}

/** Any other failure would reach the agent as an internal error without words. */
async function explained<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (error instanceof RequestError) throw error
    throw new RequestError(-32603, messageOf(error))
  }
}
