/** The kinds of storage that a managed repository may be kept in. */
export const repositoryStores = ['local'] as const

export type RepositoryStoreName = (typeof repositoryStores)[number]
