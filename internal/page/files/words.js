// The words of the page in Korean. Ids, rules and commands stay as they are.
const KO = {
  'Now': '지금', 'Timeline': '타임라인', 'Undo': '되돌리기', 'Guard': '가드', 'Agents': '에이전트', 'Verification': '검증', 'Verify': '검증', 'Ports': '포트', 'Project': '프로젝트', 'Doctor': '진단',
  'Waiting for you': '응답 대기', 'Working': '작업 중', 'Idle': '유휴', 'Stale': '소식 없음', 'Gone': '종료됨', 'inferred': '추정',
  'State': '상태', 'Session': '세션', 'Port': '포트', 'Files': '파일', 'Search': '검색', 'All projects': '모든 프로젝트',
  'Nobody waits for you': '기다리는 에이전트가 없습니다', '1 agent needs you': '에이전트 1개가 기다립니다', '{n} agents need you': '에이전트 {n}개가 기다립니다', 'and {n} more': '그 밖에 {n}개',
  'live': '연결됨', 'not live': '연결 끊김', 'Guard off': '가드 꺼짐', 'standard': '표준', 'strict': '엄격', 'no port': '포트 없음', 'no undo': '되돌리기 불가', 'none': '없음',
  'Skip to content': '본문으로 건너뛰기', 'Views': '화면', 'What needs you': '확인이 필요한 일', 'Help': '도움말', 'Switch light and dark': '밝게 · 어둡게 전환', 'Close': '닫기', 'Copy': '복사', 'Copied': '복사했습니다', 'Copy it by hand: {s}': '직접 복사하세요: {s}',
  'No answer from moai serve since {t}. What you see is from then.': '{t}부터 moai serve의 응답이 없습니다. 보이는 내용은 그때의 것입니다.', 'Try now': '지금 다시 시도', 'Next try in {n} s.': '{n}초 뒤 다시 시도합니다.', 'Trying now.': '지금 시도하고 있습니다.', 'No answer: moai serve has ended. Start it again, and this page goes on.': '응답 없음: moai serve가 끝났습니다. 다시 시작하면 이 화면이 이어집니다.', 'This page is not let in: open the address that moai serve prints.': '이 페이지는 들어갈 수 없습니다. moai serve가 출력하는 주소를 여세요.',
  'Nothing calls moai here: no command is judged, and nothing is saved.': '여기서는 아무것도 moai를 부르지 않습니다. 명령을 판단하지 않고, 아무것도 저장하지 않습니다.', 'Switched off in {f}': '꺼진 곳: {f}',
  'The guard is off: no command is judged, and no snapshot is taken before one.': '가드가 꺼져 있습니다. 명령을 판단하지 않고, 그 전에 스냅샷도 만들지 않습니다.', 'A hook failed or was slow: unless guard.on_failure is closed, calls may have passed unjudged.': '훅이 실패했거나 느렸습니다. guard.on_failure가 closed가 아니면 판단되지 않은 호출이 있을 수 있습니다.',
  'Last events': '최근 이벤트', 'No session yet': '아직 세션이 없습니다', 'Start your agent in a project. Its first prompt appears here within a second.': '프로젝트에서 에이전트를 시작하세요. 첫 프롬프트가 1초 안에 여기 나타납니다.', 'Register the hooks. It shows the change and asks first.': '훅을 등록하세요. 바뀌는 내용을 보여 주고 먼저 묻습니다.',
  'Nothing matches': '해당하는 것이 없습니다', 'Take a filter away, or clear the search.': '필터를 지우거나 검색을 비우세요.', 'Loading': '불러오는 중',
  'turns': '턴', 'edits': '편집', 'changing commands': '변경 명령', 'Snapshot': '스냅샷', 'denied': '거부', 'asked': '질문', 'snapshots': '스냅샷', 'files': '파일', 'Today': '오늘',
  'All': '전체', 'Denied': '거부됨', 'Asked': '질문함', 'Allowed': '허용됨', 'Commits': '커밋', 'Collisions': '충돌', 'Everything': '모두', 'Time': '시각', 'Prompt': '프롬프트', 'Verdicts': '판정', 'Took': '걸린 시간', 'Commands': '명령',
  'Answer in {s}': '{s}에서 답하세요', 'also changed by {s}': '{s}도 바꿈', 'no prompt': '프롬프트 없음', 'Show': '보기', 'Details': '자세히', 'Events of this turn': '이 턴의 이벤트', 'Files of this turn': '이 턴의 파일', 'Copy link': '링크 복사', 
  'who': '누가', 'tool': '도구', 'exceptions': '예외', 'Allow it once': '한 번 허용', 'Why exactly': '정확한 이유', 'Run it in your own terminal. This page never grants anything, and neither can an agent.': '직접 터미널에서 실행하세요. 이 화면도 에이전트도 허용할 수 없습니다.', 'Command': '명령', 'answer': '답',
  'No verdict yet': '아직 판정이 없습니다', 'What the guard denies, asks about or takes a snapshot before appears here.': '가드가 거부하거나 묻거나 그 전에 스냅샷을 만든 것이 여기 나타납니다.',
  'Runs': '실행', 'Failed': '실패', 'Tokens': '토큰', 'running': '실행 중', 'done': '완료', 'failed': '실패', 'no answer': '답 없음', 'No sub-agent ran yet': '아직 실행된 하위 에이전트가 없습니다', 
  'Verifier': '검증자', 'When': '언제', 'What': '무엇', 'Nobody has looked at work yet': '아직 아무도 작업을 검토하지 않았습니다', 'nobody looked': '검토 없음',
  'No port yet': '아직 포트가 없습니다', 'Status': '상태', 'pending': '대기', 'blocked': '막힘', 'complete': '완료', 'dropped': '취소',
  'Languages': '언어', 'Tools': '도구', 'TAG chains': 'TAG 사슬', 'Evidence': '근거', 'For': '용도', 'no gap': '빈틈 없음', 'Choose a project': '프로젝트를 고르세요', 'This view is about one project.': '이 화면은 프로젝트 하나에 대한 것입니다.',
  'Check': '검사', 'Fix': '고치기', 'Snapshots': '스냅샷', 'written': '다시 씀', 'deleted': '지움', 'kept': '그대로 둠', 'What is there now is saved first, so this can be undone.': '지금 있는 것을 먼저 저장하므로 다시 되돌릴 수 있습니다.',
  'Bring this back': '이 상태로 되돌리기', 'Yes, bring it back': '예, 되돌립니다', 'Keep as it is': '그대로 두기', 'Brought back': '되돌렸습니다', 'Nothing would change': '바뀌는 것이 없습니다', 'What this does, line by line: + comes back, − goes': '줄 단위로 바뀌는 것: +는 돌아오고 −는 사라집니다', 'What the undo does, line by line: + comes back, − goes': '되돌리면 줄 단위로 바뀌는 것: +는 돌아오고 −는 사라집니다', 'changed': '변경', 'untracked': '추적 안 됨',
  'Keyboard': '키보드', 'Go to a view': '화면 이동', 'Next and previous row': '다음 행, 이전 행', 'Open the row': '행 열기', 'Search this view': '이 화면에서 검색', 'Next agent that waits': '기다리는 다음 에이전트', 'Copy the allow command': '허용 명령 복사', 'Light and dark': '밝게, 어둡게', 'This help': '이 도움말', 'this machine only': '이 컴퓨터에서만', 'demo': '데모', 'Language': '언어 바꾸기', 'commit': '커밋', 
  // turns and undo
  'Age of the last event': '마지막 이벤트가 지난 시간', 'Agents of the last 30 minutes': '최근 30분의 에이전트', 'An undo is a step itself: redo takes it back.': '되돌리기도 한 단계입니다. 다시 실행으로 취소할 수 있습니다.',
  'Back to before “{p}”': '“{p}” 이전으로', 'Cannot be undone': '되돌릴 수 없음', 'Change {n} files now?': '지금 파일 {n}개를 바꿀까요?', 'Change {n} files and {k} references now?': '지금 파일 {n}개와 참조 {k}개를 바꿀까요?', 'Check again': '다시 검사', 
  'Choose a turn or a snapshot: its plan is shown, and nothing is done before you say so twice.': '턴이나 스냅샷을 고르면 계획이 나타납니다. 두 번 확인하기 전에는 아무것도 하지 않습니다.',
  'Context': '컨텍스트', 'Copy dry run': '미리 보기 명령 복사', 'Copy the command to force it': '강제하는 명령 복사', 'Dependencies, left to right': '의존 관계, 왼쪽에서 오른쪽으로', 'Last heard · last 30 minutes': '마지막 소식 · 최근 30분', 'last event': '마지막 이벤트', 'tests failed': '테스트 실패', 'failures': '실패', 'files changed since': '그 뒤 파일이 바뀜',
  'Instead': '대신', 'Last 30 minutes: {n} events': '최근 30분: 이벤트 {n}개', 'Reviews, and turns without one': '검토와 검토 없는 턴', 'No SPEC in this project yet': '이 프로젝트에는 아직 SPEC이 없습니다',
  'No tool of this project is known': '이 프로젝트의 도구를 알 수 없습니다', 'No TAG in this project yet': '이 프로젝트에는 아직 TAG가 없습니다', 'No prompt yet': '아직 프롬프트가 없습니다', 'None in the last 30 minutes': '최근 30분 동안 없음',
  'Other sessions’ work is never touched.': '다른 세션의 작업은 건드리지 않습니다.',
  'Plan': '계획', 'Redo': '다시 실행', 'References': '참조', 'Work trees that are gone': '사라진 작업 트리', 'Also changed elsewhere': '다른 곳에서도 바뀜', 'No snapshot is there.': '그곳에는 스냅샷이 없습니다.', 'SPEC progress': 'SPEC 진행', 'Work of sessions': '세션의 작업', 'Show older': '더 오래된 것 보기', 'Side by side': '나란히', 'Time of day': '하루 중 시각', 'Turns and snapshots': '턴과 스냅샷',
  'Undo this turn': '이 턴 되돌리기', 'Undo back to here': '여기까지 되돌리기', 'Undone: {n} files': '되돌림: 파일 {n}개', 'Nothing was undone': '되돌린 것이 없습니다', '{n} files kept as they are': '파일 {n}개 그대로 둠', 'p50: half of the runs took no longer. p95: 95 of 100.': 'p50: 실행의 절반이 이 시간 안에 끝났습니다. p95: 100번 가운데 95번.', 'Unverified': '미검증', 'Verdicts per hour today': '오늘 시간별 판정', 'What changed here during this turn, by whomever': '이 턴 동안 여기서 바뀐 것 (누가 바꿨든)', 'More sessions': '다른 세션', 'There is no such turn or snapshot here: {x}': '그런 턴이나 스냅샷이 여기 없습니다: {x}', 'Session {s} is in the middle of a turn and goes on with the files.': '세션 {s}이(가) 턴 중이며 파일 작업을 계속하고 있습니다.',
  'Written as they were': '예전대로 씀', 'Come back': '돌아옴', 'Go: this session made them': '사라짐: 이 세션이 만든 것', 'Merged line by line': '줄 단위로 합침', 'Permissions only': '권한만', 'Yes, undo': '예, 되돌립니다', 'free': '없음', 'kept in part': '일부만 그대로 둠', 'kept as they are': '그대로 둠', 'next': '다음',
  'edits of tools': '도구의 편집', 'goes on': '진행 중', 'This turn is undone.': '이 턴은 되돌려졌습니다.', 'Redo brings again what was taken back last.': '다시 실행은 마지막으로 되돌린 것을 다시 적용합니다.', 'It is of another work tree ({w}), and would be written into this one.': '다른 작업 트리({w})의 것이며, 이 작업 트리에 쓰게 됩니다.', 'unknown': '알 수 없음', 'nothing': '없음', 'of': '/', 'p50 to p95 (scale 0 to {s})': 'p50–p95 (눈금 0–{s})', 'rows': '행', 'Folders and permissions': '폴더와 권한', 'the index goes back': '인덱스도 돌아갑니다', 'today': '오늘', 'turn {n}': '턴 {n}', 'undone': '되돌림',
  '{f} comes from the vault': '{f}: 금고에서 가져옴', '{f}: also changed by {s}': '{f}: {s}도 바꿈', '{n} asked': '질문 {n}', '{n} broken': '깨짐 {n}', '{n} denied': '거부 {n}', '{n} failed': '실패 {n}', '{n} missing': '{n}개 빠짐', '{n} of {m}': '{n}/{m}',
  'Nothing to undo': '되돌릴 것이 없습니다', 'A snapshot is taken when a prompt is sent, when a turn ends, and before a command that could lose something.': '프롬프트를 보낼 때, 턴이 끝날 때, 무언가를 잃을 수 있는 명령 전에 스냅샷을 만듭니다.', 'See whether snapshots can be taken here.': '여기서 스냅샷을 만들 수 있는지 보세요.',
  'Every prompt becomes one row here, with its commands, verdicts, files and the way back.': '프롬프트마다 한 행이 되고, 명령, 판정, 파일과 되돌리는 길이 함께 보입니다.', 'See what the journal holds on this machine.': '이 컴퓨터의 기록을 보세요.', 'Layout': '배치', 'Day before': '전날', 'Day after': '다음 날', 'Day before, day after': '전날, 다음 날',
  'Close, clear the search, or keep as it is': '닫기, 검색 지우기, 그대로 두기', 'Undo plan of the session': '세션의 되돌리기 계획', 'files unverified': '미검증 파일', 'added': '추가', 'removed': '삭제',
  // times and states
  'Brought again': '다시 적용', 'Undone': '되돌림', 'Not run': '실행되지 않음', 'nothing to save': '저장할 것 없음', 'taken before it': '그 전에 만듦', 'line by line: the turn that touched it last': '줄마다 마지막으로 바꾼 턴', 'Since {t}': '{t}부터', 'Since before {t}': '{t} 이전부터', 'Nothing called moai': 'moai를 부르지 않음', 'What ran then was not judged, and nothing was saved.': '그때 실행된 것은 판단되지 않았고, 아무것도 저장되지 않았습니다.', 'Begun here since then, and still running': '그 뒤 여기서 시작되어 아직 실행 중', 'process {n}': '프로세스 {n}', 'port {n}': '포트 {n}', 'Question': '질문', 'stopped': '멈춤', 'no newline at the end': '파일 끝에 줄바꿈 없음', 'Sessions {s} are in the middle of a turn and go on with the files.': '세션 {s}이(가) 턴 중이며 파일 작업을 계속하고 있습니다.',
  'Take this back…': '이것을 되돌리기…', 'Redone': '다시 실행했습니다', 'Deleted': '지움', 'Kept': '그대로 둠', 'changed since by {s}': '그 뒤 {s}이(가) 바꿈', 'What was saved then comes back, whoever changed it since; files that are new since then stay. What is there now is saved first.': '그때 저장된 것은 그 뒤 누가 바꿨든 되돌아가고, 그 뒤에 생긴 파일은 그대로 있습니다. 지금 있는 것을 먼저 저장합니다.',
  'changed since by somebody else': '그 뒤 다른 사람이 바꿈', 'Not taken back: {f}': '되돌리지 못함: {f}', 'Redo now?': '지금 다시 실행할까요?', 'This is a recorded session: nothing in it can be changed.': '녹화된 세션입니다. 아무것도 바꿀 수 없습니다.',
  '{n} s': '{n}초', '{n} min': '{n}분', '{n} h': '{n}시간', '{n} d': '{n}일',
  // guard, agents, verification, ports, project, doctor
  'The command is longer than what is kept of it.': '명령이 보관하는 길이보다 깁니다.', 'More sessions…': '다른 세션…', 'What changed here since this turn began, by whomever': '이 턴이 시작된 뒤 여기서 바뀐 것(누가 했든)',
  'Unknown': '알 수 없음', 'No snapshot': '스냅샷 없음', '{n} in the last 15 minutes, the last at {t}': '최근 15분에 {n}번, 마지막 {t}', 'There is no command that allows this.': '이것을 허용하는 명령은 없습니다.',
  'What ran then was not judged, and no snapshot was taken before it.': '그때 실행된 것은 판단하지 않았고, 그 전에 스냅샷도 만들지 않았습니다.',
  'Permission': '권한', 'Turn failed': '턴 실패',
  'Not taken back': '되돌리지 않음', '{f}: gone, and Git ignores it': '{f}: 사라졌고 Git이 무시하는 파일', '{f}: written to since': '{f}: 그 뒤에 쓰임', 'Kept as they are': '그대로 둠',
  '{n} commands ran.': '명령 {n}개가 실행되었습니다.', 'outcome': '결과', 'It ran': '실행됨', 'It did not run': '실행되지 않음',
  'What would the guard say?': '가드는 뭐라고 할까요?', 'Agent': '에이전트', 'No answer': '답 없음', 'main turn': '주 턴', 'agent': '에이전트', 'waits for you': '응답 대기', 'runs today': '오늘 실행', 'without an answer': '답 없음',
  'Sub-agents appear here with their durations, failures and tokens as soon as a session starts one.': '세션이 하위 에이전트를 시작하면 걸린 시간, 실패, 토큰이 여기 나타납니다.', 'Nobody has looked at': '아무도 검토하지 않음', 'Last tests': '마지막 테스트', 'Turn': '턴', 'Why': '이유',
  'What one agent wrote, another one looks at: looks appear here, turn by turn.': '한 에이전트가 쓴 것을 다른 에이전트가 검토합니다. 검토가 턴마다 여기 나타납니다.', 'Write the verifiers’ definitions.': '검증자 정의를 쓰세요.',
  'A port is one unit of work: title, files, dependencies, an owner, and what has to be green before it ends.': '포트는 작업 단위입니다. 제목, 파일, 의존 관계, 담당, 끝나기 전에 통과해야 할 것이 있습니다.', 'Open the first one.': '첫 포트를 여세요.', 'Waits for': '선행 작업', 'Owner': '담당', 'ready': '준비됨',
  'Tool': '도구', 'Domain': '영역', 'Where': '어디', 'What is wrong in TAG chains': 'TAG 사슬에서 잘못된 것', 'Version': '버전', 'Problems of its text': '문서의 문제', 'What was found': '찾은 것',
  'Move to…': '옮기기…', 'Move {p} to: {s}': '{p} 옮기기: {s}', 'Move {p} to: {s}?': '{p} 옮길까요? {s}', 'Yes, move it': '예, 옮깁니다', '{p} is moved': '{p} 옮겼습니다',
  'It ends unverified where tests or verifiers are missing.': '테스트나 검증이 빠졌으면 미검증으로 끝납니다.', 'It cannot go on until somebody says so.': '누군가 풀 때까지 진행할 수 없습니다.', 'It can go on.': '다시 진행할 수 있습니다.',
  'What waits for it waits no more. Nothing is deleted.': '이 포트를 기다리던 것은 더 기다리지 않습니다. 아무것도 지우지 않습니다.', 'It is to be done again.': '다시 할 일이 됩니다.',
  // verification, ports and project: what they say of themselves
  'One square is one id. Hollow: the link is missing. Half: something is wrong with it. Grey: not needed.': '네모 하나가 ID 하나입니다. 빈 네모: 고리가 빠짐. 반만 찬 네모: 무언가 잘못됨. 회색: 필요 없음.', 'not needed': '필요 없음', '{n} links missing': '빠진 고리 {n}개',
  'Share of the source: {n} bytes': '소스 {n}바이트 기준 비율', 'SPECs completed': 'SPEC 완료', '{n} dropped': '취소 {n}개',
  'Passed': '통과', 'Must change': '고쳐야 함', 'Could not tell': '판단하지 못함', 'Turn held up': '턴을 멈춤', 'Only warned': '알리기만 함', 'Outcome': '결과', 'What was said': '말한 내용', 'What it said': '검증자가 한 말', 'Looks at': '검토 대상', 'code': '코드', 'plans': '계획', 'Verifiers here:': '여기의 검증자:', 'No verifier is installed here': '여기에 설치된 검증자가 없습니다', 'some of the tests only': '테스트 일부만', 'Last tests of this session': '이 세션의 마지막 테스트', 'Turns of this session': '이 세션의 턴', 'nobody has looked at it as it is now': '지금 상태는 아무도 검토하지 않음', '{n} files': '파일 {n}개',
  'Blocked': '막힘', 'Running': '실행 중', 'Ready': '준비됨', 'Pending': '대기', 'Complete': '완료', 'Ended unverified': '미검증으로 끝남', 'ended unverified': '미검증으로 끝남', 'Dropped': '취소됨', 'choose…': '고르세요…', 'What is to be done': '할 일', 'Before it ends green': '남은 조건', 'not started': '시작 전', 'tests and verdict green': '테스트와 판정 통과', 'Sessions': '세션', 'Turns': '턴', 'Tasks': '할 일 목록', 'Needed by': '후속 작업', 'Found in': '발견된 곳', 'Part of': '속한 포트', 'Made': '만든 때', 'Ended': '끝난 때', 'File': '파일 위치', 'Begin it': '시작하기',
  'Port left': '포트를 떠남', 'Well': '정상', 'Warning': '주의', 'steps of turns': '턴의 단계', 'oldest': '가장 오래된 것',
  '{f} has {s}': '{f}에 {s} 있음',
};
const asked = localStorage.getItem('moai-lang');
export const lang = asked || (navigator.language.startsWith('ko') ? 'ko' : 'en');
const one = (text, values) => text.replace(/\{(\w)\} (\w{2,})s\b/g, (many, k, word) => (String(values[k]) === '1' ? `{${k}} ${word}` : many));
export const t = (text, values = {}) => (lang === 'ko' && KO[text] || one(text, values)).replace(/\{(\w)\}(이\(가\))?/g, (_, k, particle) => values[k] + (particle ? subject(values[k]) : ''));
// subject is the particle behind a word, by how its last letter ends when it is said: L, M, N and R end in a consonant.
function subject(word) {
  const last = String(word).at(-1), code = last.charCodeAt(0) - 0xac00;
  return code >= 0 && code < 11172 ? (code % 28 ? '이' : '가') : /[LMNR013678]/i.test(last) ? '이' : '가';
}
// tn is a word behind a number: English has one form for one and another for many, as one has it for words with a number in them.
export const tn = (n, word) => (n === 1 && lang === 'en' ? word.replace(/s\b/, '') : t(word));
export const switchLang = () => { localStorage.setItem('moai-lang', lang === 'ko' ? 'en' : 'ko'); location.reload(); };
