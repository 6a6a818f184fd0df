import { isIP } from 'node:net'
import { z } from 'zod'

function isRange(text: string): boolean {
  const [network = '', prefix = '', more] = text.split('/')
  const bits = { 0: -1, 4: 32, 6: 128 }[isIP(network)] ?? -1
  return more === undefined && /^\d{1,3}$/.test(prefix) && Number(prefix) <= bits
}

/** Ranges of addresses, with commas between. */
export const addressRanges = z
  .string()
  .transform((text) => text.split(',').map((entry) => entry.trim()))
  .refine((entries) => entries.every(isRange), 'must be ranges such as 10.0.0.0/8, with commas')
  .optional()

export const outboundEnv = {
  SVC_OUTBOUND_ADDRESSES: addressRanges.describe(
    'ranges of private addresses that the platform may call for its users, also without TLS; with commas',
  ),
} as const
