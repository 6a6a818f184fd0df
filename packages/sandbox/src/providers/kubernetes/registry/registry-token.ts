import { z } from 'zod'
import { SandboxError } from '../../../sandbox-error.ts'
import type { AskRegistry, RegistryAnswer } from './registry-request.ts'

const Token = z.object({ token: z.string().optional(), access_token: z.string().optional() })

/** The header that a registry asks for with 401: a token of the place that it names, or the login itself. */
export async function bearerFor(
  ask: AskRegistry,
  { headers }: Pick<RegistryAnswer, 'headers'>,
  login: string | null,
  signal: AbortSignal,
): Promise<string> {
  const challenge = headers['www-authenticate'] ?? ''
  const basic = login === null ? '' : `Basic ${Buffer.from(login).toString('base64')}`
  const word = (name: string) => new RegExp(`${name}="([^"]*)"`).exec(challenge)?.[1]
  const realm = word('realm')
  if (!/^bearer /i.test(challenge) || realm === undefined || !URL.canParse(realm)) return basic
  const url = new URL(realm)
  for (const name of ['service', 'scope']) {
    const value = word(name)
    if (value !== undefined) url.searchParams.set(name, value)
  }
  const answer = await ask(url, basic === '' ? {} : { authorization: basic }, signal)
  if (answer.status !== 200)
    throw new SandboxError(
      'image',
      `${url.host} gave no token for the registry (${answer.status}); the operator may log it in with SVC_KUBERNETES_PULL_SECRET.`,
    )
  const { token, access_token } = Token.parse(JSON.parse(answer.body.toString('utf8')))
  return `Bearer ${token ?? access_token ?? ''}`
}
