import { ServiceError } from '@svc/errors'
import type { LicenceText } from '@svc/harness'

/** The refusal of a hash that is of none of these texts: it names each that may be accepted, and the first by itself. */
export function otherText(
  harness: string,
  texts: readonly Pick<LicenceText, 'package' | 'sha256'>[],
): ServiceError {
  const [first] = texts
  const message =
    first === undefined
      ? `There is nothing to accept for ${harness}`
      : 'This is not the hash of a present text; read the text anew, and accept that'
  return new ServiceError('HARNESS_LICENCE_CHANGED', message, {
    sha256: first?.sha256 ?? null,
    texts: texts.map(({ package: name, sha256 }) => ({ name, sha256 })),
  })
}
