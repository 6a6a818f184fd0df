import { isIP } from 'node:net'
import { mailEnv } from '@svc/mail'
import { addressRanges } from '@svc/outbound'
import { z } from 'zod'

/** Entries with commas between. */
const list = (fits: (entry: string) => boolean, message: string) =>
  z
    .string()
    .transform((text) => text.split(',').map((entry) => entry.trim()))
    .refine((entries) => entries.every(fits), message)
    .optional()

const isMail = (text: string): boolean => /^[^\s@<>]+@[^\s@<>]+$/.test(text)

function isServer(text: string): boolean {
  const [, six, four, port] = /^(?:\[([^\]]+)\]|([^:]+))(?::(\d{1,5}))?$/.exec(text) ?? []
  const address = isIP(text) === 6 ? text : (six ?? four ?? '')
  return isIP(address) !== 0 && Number(port ?? 53) <= 65_535
}

/** The variables of how people sign in. */
export const signInEnv = {
  ...mailEnv,
  SVC_SIGN_UP: z
    .enum(['open', 'invited'])
    .default('invited')
    .describe('who may sign up: every person, or only those whom an account invited'),
  SVC_PLATFORM_ADMINS: list(isMail, 'must be addresses such as ops@example.com, with commas')
    .transform((addresses) => addresses?.map((address) => address.toLowerCase()))
    .describe('the addresses of people who run the platform, from the next sign-in of each; with commas'),
  SVC_SIGN_IN_URL: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe("the page that links in mails lead to; the API's own by default"),
  SVC_SSO_FILE: z
    .string()
    .min(1)
    .optional()
    .describe('a JSON file of OpenID providers: [{ name, issuer, client_id, client_secret }]'),
  SVC_SSO_ADDRESSES: addressRanges.describe(
    "ranges of private addresses where accounts' own OpenID providers may be, with commas",
  ),
  SVC_DNS_SERVERS: list(
    isServer,
    'must be addresses such as 192.0.2.53 or [2001:db8::53]:53, with commas',
  ).describe('the name servers that are asked for proofs of mail domains; those of the machine when unset'),
} as const
