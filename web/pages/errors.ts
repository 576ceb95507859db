/** Everything that is wrong with the lessons, one sentence a line; each names its file. */
export class LessonProblems extends Error {
  override name = 'LessonProblems';
  constructor(readonly problems: string[]) {
    super(problems.join('\n'));
  }
}
