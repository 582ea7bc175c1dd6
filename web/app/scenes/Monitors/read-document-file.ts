// A file that the user chose as a protected document.

type NewDocument = { title: string; text: string } | { title: string; html: string }

/** The server accepts bodies up to 1 MiB; JSON needs some of it. */
export const MAX_FILE_BYTES = 1_000_000
const MAX_TITLE = 300

export async function readDocumentFile(file: Pick<File, 'name' | 'size' | 'type' | 'text'>): Promise<NewDocument> {
  if (file.size > MAX_FILE_BYTES) throw new Error('The file is larger than 1 MB. Split it.')
  const content = await file.text()
  if (content.trim() === '') throw new Error('The file is empty.')
  if (content.includes('\0')) throw new Error('The file is not text. Save it as text or HTML.')
  const title = file.name.slice(0, MAX_TITLE)
  return file.type === 'text/html' || /\.html?$/i.test(file.name) ? { title, html: content } : { title, text: content }
}
