/** `YYYY-MM-DD` of the user's own day. */
export function localDay(date: Date): string {
  const part = (number: number, length: number): string => String(number).padStart(length, '0')
  return `${part(date.getFullYear(), 4)}-${part(date.getMonth() + 1, 2)}-${part(date.getDate(), 2)}`
}
