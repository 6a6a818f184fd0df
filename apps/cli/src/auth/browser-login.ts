import type { Cli } from '../cli.ts'
import { oneLine } from '../output/plain.ts'
import { waitingFor } from '../output/spinner.ts'
import { mayOpenBrowser, openBrowser } from '../output/open-browser.ts'
import { openDevice } from './device.ts'
import { type LoginTokens, loginTokens } from './login-tokens.ts'
import { openLoopback } from './loopback.ts'
import { findLoginServer, type LoginServer } from './server.ts'

const maxMs = 10 * 60_000

/** Has a person decide in a browser: of this machine when it has one, else of another. */
export async function browserLogin(
  cli: Cli,
  api_url: string,
  { device }: { readonly device: boolean },
): Promise<LoginTokens> {
  const found = await findLoginServer(api_url)
  const left = new AbortController()
  const timer = setTimeout(() => left.abort(), maxMs)
  const undo = cli.io.onInterrupt(() => left.abort())
  try {
    const here = !device && mayOpenBrowser(cli.io)
    const answer =
      (here ? await byLoopback(cli, found, left.signal) : null) ?? (await byDevice(cli, found, left.signal))
    return loginTokens(answer, Date.now())
  } finally {
    clearTimeout(timer)
    undo()
  }
}

/** Null when there is no browser after all. */
async function byLoopback(cli: Cli, found: LoginServer, signal: AbortSignal) {
  const loopback = await openLoopback(found)
  try {
    if (!(await openBrowser(loopback.url, cli.io.env))) return null
    cli.out.note(`Log in with the page that opens in the browser:\n  ${loopback.url}`)
    cli.out.note('No browser here? Ctrl-C, then `svc login --device`.')
    return await waitingFor(cli, 'Waiting for the browser', loopback.tokens(signal))
  } finally {
    loopback.close()
  }
}

async function byDevice(cli: Cli, found: LoginServer, signal: AbortSignal) {
  const device = await openDevice(found)
  cli.out.note(
    `Open ${oneLine(device.verification_uri)} in a browser and type the code ${oneLine(device.user_code)}`,
  )
  return waitingFor(cli, 'Waiting for the code', device.tokens(signal))
}
