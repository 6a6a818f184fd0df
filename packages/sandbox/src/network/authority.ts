import { isIP } from 'node:net'

/** A host and a port, as the two ends of a connection name them. */
export interface Authority {
  readonly host: string
  readonly port: number
}

/** Reads `host:port` or `[address]:port`; null for anything else. */
export function parseAuthority(text: string): Authority | null {
  const [, bracketed, plain, digits = ''] =
    /^(?:\[([0-9a-f:.]+)\]|([a-z0-9._-]+)):(\d{1,5})$/i.exec(text) ?? []
  const host = bracketed ?? plain
  const port = Number(digits)
  if (host === undefined || port < 1 || port > 65_535) return null
  if (bracketed !== undefined && isIP(bracketed) !== 6) return null
  return { host: normal(host), port }
}

/** The host and port that a URL leads to; null for one without a host, as of a file or a socket in the file system. */
export function authorityOf(text: string): Authority | null {
  if (!URL.canParse(text)) return null
  const url = new URL(text)
  const port = url.port === '' ? defaultPorts[url.protocol] : Number(url.port)
  if (url.hostname === '' || port === undefined) return null
  return { host: normal(url.hostname.replace(/^\[|\]$/g, '')), port }
}

export function authorityText({ host, port }: Authority): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`
}

const defaultPorts: Readonly<Record<string, number>> = {
  'http:': 80,
  'https:': 443,
  'ssh:': 22,
  'postgres:': 5432,
  'postgresql:': 5432,
  'redis:': 6379,
  'rediss:': 6379,
}

function normal(host: string): string {
  return host.toLowerCase().replace(/\.$/, '')
}
