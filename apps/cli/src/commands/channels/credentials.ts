import { text } from 'node:stream/consumers'
import type { ChannelPlatform } from '@svc/channel/states'
import type { ConnectChannelInput } from '@svc/sdk'
import { OperationError, UsageError } from '../../failures.ts'
import type { Io } from '../../io.ts'
import { isObject } from '../../json-values.ts'
import { ask, askSecret, canAsk } from '../../output/ask.ts'

export type Credentials = ConnectChannelInput['credentials']

export interface CredentialsWish {
  readonly platform: ChannelPlatform
  /** The word of `--credentials`: `-` for stdin, true or undefined to be asked. */
  readonly given: string | true | undefined
  /** The command line that asks for them, for the next step of a refusal. */
  readonly line: string
  /** Of Slack: the secret of the other way is not asked for. */
  readonly transport?: string | undefined
}

/**
 * The credentials of a channel: JSON on stdin for `-`, else a person is asked, unseen. None comes from an argument, which
 * other processes can see.
 */
export async function readCredentials(io: Io, wish: CredentialsWish): Promise<Credentials> {
  const next = `${wish.line} --credentials - < a file with them, as JSON`
  if (typeof wish.given === 'string') {
    if (wish.given === '-') return fromStdin(io, next)
    throw new UsageError('credentials in the arguments can be seen by others', next)
  }
  if (!canAsk(io)) throw new UsageError('there is no terminal to ask on', next)
  const answers = new Answers(io, next)
  if (wish.platform === 'chat_a') return slackCredentials(answers, wish.transport)
  if (wish.platform === 'chat_b') return { access_token: await answers.secret('access token') }
  return mailCredentials(answers)
}

async function slackCredentials(answers: Answers, transport: string | undefined): Promise<Credentials> {
  const bot_token = await answers.secret('bot token (xoxb-…)')
  if (transport === 'events') return { bot_token, signing_secret: await answers.secret('signing secret') }
  if (transport === 'socket') return { bot_token, app_token: await answers.secret('app token (xapp-…)') }
  const signing_secret = await answers.secretOrNone('signing secret, to receive by events')
  if (signing_secret !== '') return { bot_token, signing_secret }
  return { bot_token, app_token: await answers.secret('app token (xapp-…), to receive by a socket') }
}

async function mailCredentials(answers: Answers): Promise<Credentials> {
  const host = await answers.text('IMAP server, empty where the operator’s server takes the mail')
  if (host === '') return {}
  const port = Number((await answers.text('port, empty for 993')) || '993')
  const user = await answers.text('user')
  return { imap: { host, port, user, password: await answers.secret('password') } }
}

/** Questions to a person, who may leave at each. */
class Answers {
  readonly #io: Io
  readonly #next: string

  constructor(io: Io, next: string) {
    this.#io = io
    this.#next = next
  }

  async text(question: string): Promise<string> {
    return this.#kept(await ask(this.#io, `${question}: `)).trim()
  }

  async secret(question: string): Promise<string> {
    const answer = this.#kept(await askSecret(this.#io, `${question}: `)).trim()
    if (answer === '') throw new OperationError('nothing was stored', this.#next)
    return answer
  }

  async secretOrNone(question: string): Promise<string> {
    return this.#kept(await askSecret(this.#io, `${question} (may be empty): `)).trim()
  }

  #kept(answer: string | null): string {
    if (answer === null) throw new OperationError('nothing was stored', this.#next)
    return answer
  }
}

async function fromStdin(io: Io, next: string): Promise<Credentials> {
  const given = parsed(await text(io.stdin))
  if (!isObject(given)) throw new UsageError('stdin must be a JSON object', next)
  return asCredentials(given)
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}

/** The API reads them by its contract, and names each field that is wrong. */
const asCredentials = (given: object) => given as Credentials
