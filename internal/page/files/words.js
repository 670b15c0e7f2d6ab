// The words of the page in Korean. Ids, rules and commands stay as they are.
const KO = {
  'Now': '지금', 'Timeline': '타임라인', 'Undo': '되돌리기', 'Guard': '가드', 'Agents': '에이전트', 'Verification': '검증', 'Verify': '검증', 'Ports': '포트', 'Project': '프로젝트', 'Doctor': '진단',
  'Waiting for you': '응답 대기', 'Working': '작업 중', 'Idle': '유휴', 'Stale': '소식 없음', 'Gone': '종료됨', 'told': '보고됨', 'inferred': '추정',
  'State': '상태', 'Session': '세션', 'Doing now': '지금 하는 일', 'Port': '포트', 'Files': '파일', 'Snapshot': '스냅샷', 'Search': '검색', 'All projects': '모든 프로젝트',
  'Nobody waits for you': '기다리는 에이전트가 없습니다', '1 agent needs you': '에이전트 1개가 기다립니다', '{n} agents need you': '에이전트 {n}개가 기다립니다', 'and {n} more': '그 밖에 {n}개',
  'live': '연결됨', 'not live': '연결 끊김', 'Guard off': '가드 꺼짐', 'standard': '표준', 'strict': '엄격', 'no port': '포트 없음', 'no undo': '되돌리기 불가', 'ago': '전', 'none': '없음',
  'Skip to content': '본문으로 건너뛰기', 'Views': '화면', 'What needs you': '확인이 필요한 일', 'Keyboard help': '키보드 도움말', 'Switch light and dark': '밝게 · 어둡게 전환', 'Close': '닫기', 'Copy': '복사', 'Copied': '복사했습니다', 'Copy it by hand: {s}': '직접 복사하세요: {s}',
  'No answer from moai serve since {t}. What you see is from then.': '{t}부터 moai serve의 응답이 없습니다. 보이는 내용은 그때의 것입니다.', 'Try now': '지금 다시 시도',
  'The guard is off: no command is judged, and nothing is saved.': '가드가 꺼져 있습니다. 명령을 판단하지 않고, 아무것도 저장하지 않습니다.', 'A hook failed or was slow: calls may have passed unjudged.': '훅이 실패했거나 느렸습니다. 판단되지 않은 호출이 있을 수 있습니다.',
  'Last events': '최근 이벤트', 'No session yet': '아직 세션이 없습니다', 'Start your agent in a project. Its first prompt appears here within a second.': '프로젝트에서 에이전트를 시작하세요. 첫 프롬프트가 1초 안에 여기 나타납니다.', 'Register the hooks. It shows the change and asks first.': '훅을 등록하세요. 바뀌는 내용을 보여 주고 먼저 묻습니다.',
  'Nothing matches': '해당하는 것이 없습니다', 'Take a filter away, or clear the search.': '필터를 지우거나 검색을 비우세요.', 'Nothing to show yet': '아직 보여 줄 것이 없습니다', 'Loading': '불러오는 중',
  'turns': '턴', 'commands': '명령', 'denied': '거부', 'asked': '질문', 'snapshots': '스냅샷', 'edits': '편집', 'failures': '실패', 'files': '파일', 'Today': '오늘',
  'All': '전체', 'Denied': '거부됨', 'Asked': '질문함', 'Allowed': '허용됨', 'Commits': '커밋', 'Collisions': '충돌', 'Everything': '모두', 'Time': '시각', 'Prompt': '프롬프트', 'Verdicts': '판정', 'Took': '걸린 시간', 'Commands': '명령',
  'Answer in {s}': '{s}에서 답하세요', 'also changed by {s}': '{s}도 바꿈', 'no prompt': '프롬프트 없음', 'Show': '보기', 'Details': '자세히', 'Events of this turn': '이 턴의 이벤트', 'Files of this turn': '이 턴의 파일', 'Copy link': '링크 복사', 'Open': '열기',
  'Rule': '규칙', 'why': '이유', 'who': '누가', 'tool': '도구', 'exceptions': '예외', 'Allow it once': '한 번 허용', 'Why exactly': '정확한 이유', 'Run it in your own terminal. This page never grants anything, and neither can an agent.': '직접 터미널에서 실행하세요. 이 화면도 에이전트도 허용할 수 없습니다.', 'Command': '명령', 'answer': '답',
  'No verdict yet': '아직 판정이 없습니다', 'What the guard denies, asks about or saves first appears here.': '가드가 거부하거나 묻거나 먼저 저장한 것이 여기 나타납니다.',
  'Type': '종류', 'events': '이벤트', 'Runs': '실행', 'Failed': '실패', 'Empty': '빈 답', 'Tokens': '토큰', 'running': '실행 중', 'done': '완료', 'failed': '실패', 'no answer': '답 없음', 'No sub-agent ran yet': '아직 실행된 하위 에이전트가 없습니다', 'Began': '시작', 'Model': '모델', 'Result': '결과',
  'Verifier': '검증자', 'Found': '결과', 'When': '언제', 'What': '무엇', 'Nobody has looked at work yet': '아직 아무도 작업을 검토하지 않았습니다', 'nobody looked': '검토 없음',
  'No port yet': '아직 포트가 없습니다', 'A port is a unit of work.': '포트는 작업 단위입니다.', 'Needs': '필요', 'Title': '제목', 'Status': '상태', 'pending': '대기', 'blocked': '막힘', 'complete': '완료', 'dropped': '취소',
  'Languages': '언어', 'Tools': '도구', 'TAG chains': 'TAG 사슬', 'Evidence': '근거', 'For': '용도', 'no gap': '빈틈 없음', 'moai answers in a moment': 'moai가 곧 답합니다', 'Choose a project': '프로젝트를 고르세요', 'This view is about one project.': '이 화면은 프로젝트 하나에 대한 것입니다.',
  'Check': '검사', 'Detail': '내용', 'Fix': '고치기', 'No snapshot yet': '아직 스냅샷이 없습니다', 'moai takes one before each risky command.': 'moai는 위험한 명령 전마다 스냅샷을 만듭니다.', 'Snapshots': '스냅샷', 'written': '다시 씀', 'deleted': '지움', 'kept': '그대로 둠', 'What is there now is saved first, so this can be undone.': '지금 있는 것을 먼저 저장하므로 다시 되돌릴 수 있습니다.',
  'Bring this back': '이 상태로 되돌리기', 'Yes, bring it back': '예, 되돌립니다', 'Keep as it is': '그대로 두기', 'Brought back': '되돌렸습니다', 'Nothing would change': '바뀌는 것이 없습니다', 'Take it back': '다시 취소', 'Changes since then': '그 뒤의 변경', 'changed': '변경', 'untracked': '추적 안 됨',
  'Keyboard': '키보드', 'Go to a view': '화면 이동', 'Next and previous row': '다음 행, 이전 행', 'Open the row': '행 열기', 'Close, or clear the search': '닫기, 검색 지우기', 'Search this view': '이 화면에서 검색', 'Next agent that waits': '기다리는 다음 에이전트', 'Undo view': '되돌리기 화면', 'Copy the allow command': '허용 명령 복사', 'Light and dark': '밝게, 어둡게', 'This help': '이 도움말', 'this machine only': '이 컴퓨터에서만', 'demo': '데모', 'Language': '언어 바꾸기', 'more': '더 보기', 'commit': '커밋', 'first line': '첫 줄',
};
const asked = localStorage.getItem('moai-lang');
export const lang = asked || (navigator.language.startsWith('ko') ? 'ko' : 'en');
export const t = (text, values = {}) => (lang === 'ko' && KO[text] || text).replace(/\{(\w)\}/g, (_, k) => values[k]);
export const switchLang = () => { localStorage.setItem('moai-lang', lang === 'ko' ? 'en' : 'ko'); location.reload(); };
