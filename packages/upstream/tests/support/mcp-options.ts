import type { mcpProvider, Wire } from '../../src/index.ts'

/** Options of the provider with a redaction that a test can see, and no signature but the token of OAuth. */
export function mcpOptions(wire: Wire): Parameters<typeof mcpProvider>[0] {
  return {
    wire,
    sign: (_, request) => request,
    redact: (credential) => {
      const values = Object.values(credential ?? {})
      const text = (said: string) =>
        values.reduce((left, value) => left.replaceAll(value, '[redacted]'), said)
      return { text, json: (value) => JSON.parse(text(JSON.stringify(value))) }
    },
  }
}
