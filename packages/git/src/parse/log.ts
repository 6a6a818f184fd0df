export interface Person {
  readonly name: string
  readonly email: string
  readonly at: string
}

export interface Commit {
  readonly commit_sha: string
  readonly parents: readonly string[]
  readonly author: Person
  readonly committer: Person
  readonly message: string
}

/** One commit is nine NUL-ended fields, then a line end. A message can hold anything but NUL. */
export const logFormat = ['%H', '%P', '%an', '%ae', '%aI', '%cn', '%ce', '%cI', '%B'].join('%x00') + '%x00'

const fieldsOfCommit = 9

export function parseLog(output: Buffer): Commit[] {
  const fields = output.toString('utf8').split('\0')
  const commits: Commit[] = []
  for (let at = 0; at + fieldsOfCommit < fields.length + 1; at += fieldsOfCommit) {
    const [sha = '', parents = '', ...people] = fields.slice(at, at + fieldsOfCommit)
    const [
      authorName = '',
      authorEmail = '',
      authored = '',
      name = '',
      email = '',
      committed = '',
      message = '',
    ] = people
    const commit_sha = sha.trim()
    if (commit_sha === '') break
    commits.push({
      commit_sha,
      parents: parents === '' ? [] : parents.split(' '),
      author: { name: authorName, email: authorEmail, at: authored },
      committer: { name, email, at: committed },
      message: message.trimEnd(),
    })
  }
  return commits
}
