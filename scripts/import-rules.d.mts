export interface SourceFile {
  path: string
  text: string
}

export function findViolations(files: SourceFile[]): string[]
export function readSources(root: string): SourceFile[]
