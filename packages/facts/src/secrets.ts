export const secretNameLength = 64
