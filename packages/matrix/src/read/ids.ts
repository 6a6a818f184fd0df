/** The homeserver that the id of a user belongs to. */
export const serverOf = (user: string): string => user.slice(user.indexOf(':') + 1)
