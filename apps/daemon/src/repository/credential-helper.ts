import { connect } from 'node:net'
import { text } from 'node:stream/consumers'

/** `svc-agent credential <socket> <operation>`: what git runs when it needs a user name and a password. */
export async function runCredentialHelper(args: readonly string[]): Promise<void> {
  const [socketPath, operation] = args
  const request = await text(process.stdin)
  // There is nothing to store or erase: every answer is made for one use.
  if (operation !== 'get' || socketPath === undefined) return
  const socket = connect(socketPath)
  socket.end(request)
  process.stdout.write(await text(socket))
}
