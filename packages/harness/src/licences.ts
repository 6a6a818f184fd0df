/** The text of a licence that has to be accepted, of one package of a pinned version. */
export interface LicenceText {
  readonly package: string
  readonly spdx: string
  readonly url: string
  readonly sha256: string
  readonly text: string
}
