import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto'
import { type AuthType, field, optional, required } from './auth-type.ts'

/** A certificate of the client's, and where it is given the authority of the server's. All are PEM. */
export const mtls: AuthType = {
  fields: () => [...required('certificate', 'private_key'), ...optional('passphrase', 'ca')],
  check: ({ certificate = '', private_key = '', passphrase, ca }) => {
    const issues: Record<string, string> = {}
    const own = certificateOf(certificate)
    const key = keyFrom(private_key, passphrase)
    if (own === null) issues['certificate'] = 'must be a certificate in PEM'
    if (key === null) issues['private_key'] = 'must be a private key in PEM that its passphrase opens'
    if (own !== null && key !== null && !own.checkPrivateKey(key))
      issues['private_key'] = 'must be the key of the certificate'
    if (ca && certificateOf(ca) === null) issues['ca'] = 'must be a certificate in PEM'
    return issues
  },
  prepare: (request, signing) => {
    const { passphrase, ca } = signing.credential
    const client_certificate = {
      certificate: field(signing, 'certificate'),
      private_key: field(signing, 'private_key'),
      ...(passphrase && { passphrase }),
      ...(ca && { ca }),
    }
    return { ...request, client_certificate }
  },
}

function certificateOf(pem: string): X509Certificate | null {
  try {
    return new X509Certificate(pem)
  } catch {
    return null
  }
}

function keyFrom(key: string, passphrase: string | undefined): KeyObject | null {
  try {
    return createPrivateKey({ key, ...(passphrase && { passphrase }) })
  } catch {
    return null
  }
}
