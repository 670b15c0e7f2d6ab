// Sentences of moai's own answers in Korean: the doctor's findings, purposes of tools, and why a tool is named. {x} stands for what is put in.
import { lang } from './words.js';

const SAID = {
  // purposes of tools, and parts of the doctor
  'package manager': '패키지 관리자', 'formatter': '포매터', 'linter': '린터', 'test': '테스트', 'build': '빌드', 'typecheck': '타입 검사', 'start': '시작', 'dev': '개발 서버', 'install': '설치', 'clean': '정리',
  'coverage': '커버리지', 'migrate': '마이그레이션', 'frameworks': '프레임워크', 'comes with the language': '언어와 함께 제공됨',
  'program': '프로그램', 'settings': '설정', 'events': '이벤트', 'statusline': '상태 표시줄', 'guard': '가드', 'agents': '에이전트', 'calls': '호출', 'folders': '폴더', 'repository': '저장소', 'siblings': '다른 작업 트리', 'rules': '규칙',
  'environment': '환경', 'configuration': '설정 값', 'state': '상태',
  // program and settings
  'a registered program is not this one ({x})': '등록된 프로그램이 이 프로그램이 아닙니다({x})', 'another version: {x}': '다른 버전: {x}', 'the same version': '같은 버전', 'is not executable': '실행할 수 없는 파일입니다',
  'cannot be found: {x}': '찾을 수 없습니다: {x}', 'not on PATH, so the hooks of {x} do nothing here': 'PATH에 없어 {x}의 훅이 여기서 아무 일도 하지 않습니다', 'something is to be put right': '바로잡을 것이 있습니다',
  'the client reads them, and every event is registered': '클라이언트가 읽으며, 모든 이벤트가 등록되어 있습니다', 'moai is registered nowhere, so the client does not call it': 'moai가 어디에도 등록되지 않아 클라이언트가 부르지 않습니다',
  'registered in several files with different commands: the client runs moai more than once per event': '여러 파일에 다른 명령으로 등록되어 있어 클라이언트가 이벤트마다 moai를 여러 번 실행합니다',
  'registered for all your projects and for everybody who has this one: both count, and the client runs moai twice per event': '내 모든 프로젝트와 이 프로젝트의 모두에게 등록되어 있습니다. 둘 다 적용되어 이벤트마다 두 번 실행됩니다',
  'as the settings files stand the client runs no hook of moai': '지금 설정 파일로는 클라이언트가 moai의 훅을 실행하지 않습니다',
  'not what this moai registers: another path, or fewer or other events or tools': '이 moai가 등록하는 것과 다릅니다. 경로, 이벤트, 도구가 다르거나 모자랍니다',
  'names a program of this machine, in a file for everybody': '모두가 쓰는 파일에 이 컴퓨터의 프로그램이 적혀 있습니다', 'is tracked by Git: whoever gets it gets this machine\'s path': 'Git이 추적합니다. 받는 사람에게 이 컴퓨터의 경로가 갑니다',
  'moai is registered with other agents alone; for Claude Code: moai init': '다른 에이전트에만 등록되어 있습니다. Claude Code에는: moai init',
  // events, guard, calls
  '{x} answered, the slowest {y} in {z} ms': '{x}에 응답, 가장 느린 것은 {y} {z} ms', 'an event is not answered as the client demands': '클라이언트가 요구하는 대로 응답하지 않는 이벤트가 있습니다',
  'nothing that could answer is registered before tools, so nothing is guarded': '도구 앞에 응답할 것이 등록되지 않아 아무것도 지켜지지 않습니다', '`{x}` would be stopped, in {y}': '`{x}` 명령은 {y} 만에 막힙니다', '`{x}` would not be stopped': '`{x}` 명령이 막히지 않습니다',
  'no matcher fits {x}, so its commands are not guarded': '{x}에 맞는 matcher가 없어 그 명령이 지켜지지 않습니다', 'cannot be started: {x}': '시작할 수 없습니다: {x}', 'not tried: {x}': '해 보지 않음: {x}', 'not started: {x}': '시작하지 않음: {x}', 'cannot be asked: {x}': '물을 수 없습니다: {x}',
  'nothing is registered that could be tried': '해 볼 수 있게 등록된 것이 없습니다', 'in the last {x} days {y} failed and {z} took longer than they should': '최근 {x}일 동안 실패한 {y}, 느린 호출 {z}번',
  'over its budget {x}, at worst by {y}': '예산 초과 {x}, 가장 오래 걸린 부분: {y}', 'failed {x}, last at {y}: {z}': '실패 {x}, 마지막 {y}: {z}',
  'moai\'s is not registered (moai init --statusline)': 'moai의 것이 등록되지 않았습니다(moai init --statusline)', 'the line below the prompt is not what it should be': '프롬프트 아래 줄이 올바르지 않습니다', 'registered and answered: {x}': '등록되어 응답함: {x}',
  // agents, folders, repository, the rest
  'none but Claude Code calls moai': 'Claude Code만 moai를 부릅니다', 'each that is registered is answered in its own words': '등록된 에이전트마다 그 방식으로 응답합니다', 'of other agents alone: see agents': '다른 에이전트의 것뿐입니다. 에이전트 항목을 보세요',
  'state and configuration can be kept': '상태와 설정을 보관할 수 있습니다', 'moai cannot keep what it should remember': 'moai가 기억할 것을 보관할 수 없습니다', 'no home folder, so no place for it': '홈 폴더가 없어 둘 곳이 없습니다',
  'no Git repository; moai keeps the snapshots of this folder': 'Git 저장소가 아닙니다. moai가 이 폴더의 스냅샷을 보관합니다', 'no Git repository, so no checkpoints': 'Git 저장소가 아니어서 체크포인트가 없습니다', 'a bare repository: there is no working tree to snapshot': 'bare 저장소입니다. 스냅샷을 찍을 작업 트리가 없습니다',
  'HEAD cannot be read: {x}': 'HEAD를 읽을 수 없습니다: {x}', 'cannot be read: {x}': '읽을 수 없습니다: {x}', 'it is damaged, so there are no checkpoints: {x}': '손상되어 체크포인트가 없습니다: {x}',
  'cannot be read, so there are no checkpoints, and what would destroy its files is asked about: {x}': '읽을 수 없어 체크포인트가 없고, 파일을 없앨 명령은 먼저 묻습니다: {x}',
  'no other work tree or known clone of the project is without moai': 'moai가 없는 다른 작업 트리나 알려진 복제본이 없습니다', 'nothing calls moai there': '그곳에서는 아무것도 moai를 부르지 않습니다', '{x} of this project without moai': '이 프로젝트에서 moai가 없는 {x}',
  'rules and configuration are valid': '규칙과 설정이 올바릅니다', '{x}; what is wrong does not count, or not as it says': '{x}. 틀린 것은 적용되지 않거나 적힌 대로 적용되지 않습니다',
  'files are not formatted after an edit (moai config set quality.format auto)': '편집 뒤에 파일을 포맷하지 않습니다(moai config set quality.format auto)', 'this project configures none': '이 프로젝트는 설정한 것이 없습니다', 'found: {x}': '찾음: {x}', 'not installed: {x}': '설치되지 않음: {x}',
  'this project configures it, and its program is neither in the project nor on PATH': '이 프로젝트가 설정했지만 프로그램이 프로젝트에도 PATH에도 없습니다',
  'the guard is at its standard, and no setting of the project reaches for it': '가드는 표준이며, 프로젝트의 어떤 설정도 손대지 않습니다', '{x} to know about the surroundings of the guard': '가드의 환경에 대해 알아 둘 것: {x}', '{x}, which protects less than the standard': '{x}, 표준보다 덜 지킵니다',
  // turns without a snapshot
  'turns': '턴', 'no agent that calls moai has worked here yet, so nothing is saved for moai undo': '아직 여기서 moai를 부르는 에이전트가 일하지 않아 moai undo를 위해 저장된 것이 없습니다', 'what the last turn did is saved for moai undo': '마지막 턴이 한 일이 moai undo를 위해 저장되어 있습니다', 'there was no time left (checkpoint.timeout)': '시간이 모자랐습니다(checkpoint.timeout)', 'nobody knows why': '이유를 알 수 없습니다',
  // looks at work
  'verify.stop is off': 'verify.stop이 꺼져 있습니다', 'verify.stop is warn': 'verify.stop이 warn입니다', 'nothing waits for a look': '검토를 기다리는 것이 없습니다', 'nobody else has looked at these files': '이 파일들을 아무도 검토하지 않았습니다',
  'a verifier found what must change': '검증자가 고쳐야 할 것을 찾았습니다', 'it was held up once for this state of the files': '이 상태의 파일로 이미 한 번 멈췄습니다', 'it was held up {n} times in this turn': '이 턴에서 {n}번 멈췄습니다',
  // TAG chains, and what a SPEC's status may be
  '{x} is no TAG: {y} is no id': '{x}은(는) TAG가 아닙니다: {y}은(는) ID가 아닙니다', '{x} is defined nowhere': '{x}은(는) 정의된 곳이 없습니다', '{x} has no @{y}': '{x}에 @{y}이(가) 없습니다', '{x} is defined at {y} too': '{x}은(는) {y}에도 정의되어 있습니다', '{x} names {y}, which does not exist': '{x}이(가) 가리키는 {y}은(는) 없습니다',
  'completed': '완료', 'implemented': '구현됨', 'active': '진행', 'in-progress': '진행 중', 'review': '검토', 'approved': '승인됨', 'planned': '계획됨', 'draft': '초안', 'blocked': '막힘', 'deprecated': '폐기 예정', 'archived': '보관됨',
  // numbers
  '{n} event': '이벤트 {n}개', '{n} events': '이벤트 {n}개', '{n} call': '호출 {n}번', '{n} calls': '호출 {n}번', '{n} time': '{n}번', '{n} times': '{n}번', '{n} problem': '문제 {n}개', '{n} problems': '문제 {n}개', '{n} thing': '{n}가지', '{n} things': '{n}가지',
  '{n} other folder': '다른 폴더 {n}개', '{n} other folders': '다른 폴더 {n}개',
  // looks at work
  'no change of it is known': '바뀐 것이 알려지지 않았습니다', 'no tests have passed since the last change': '마지막 변경 뒤 통과한 테스트가 없습니다', 'nobody has looked at {x}': '아무도 검토하지 않음: {x}', 'not over: {x}': '끝나지 않음: {x}', 'no verifier is installed here': '여기에 설치된 검증자가 없습니다',
  '{x}, on {y}, no commits yet': '{x}, 브랜치 {y}, 아직 커밋 없음', '{x}, HEAD is detached': '{x}, HEAD가 브랜치에 있지 않음', '{x}, on {y}': '{x}, 브랜치 {y}', '{x} registered ({y})': '{x} 등록됨({y})',
};
const LONGEST = 1000; // that is looked at: what follows is a path or a text of others
const escaped = text => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
const forms = Object.entries(SAID).filter(([text]) => /\{\w\}/.test(text)).map(([text, korean]) =>
  [new RegExp('^' + text.split(/\{\w\}/).map(escaped).join(text.includes('{n}') ? '(\\d+)' : '(.+?)') + '$'), korean]);

// told is a sentence of moai's in the language of the page, as it came where it has no other words.
export function told(text) {
  if (lang !== 'ko' || !text || text.length > LONGEST) return text;
  if (SAID[text]) return SAID[text];
  for (const [form, korean] of forms) {
    const found = text.match(form);
    if (found) return korean.replace(/\{(\w)\}/g, (_, k) => told(found[Math.max(0, 'xyz'.indexOf(k)) + 1]));
  }
  return text;
}
