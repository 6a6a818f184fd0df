export interface AttemptCountTable {
  /** The limit's name and a hash of whom it counts. */
  key: string
  attempts: number
  /** End of the window. */
  until: Date
}
