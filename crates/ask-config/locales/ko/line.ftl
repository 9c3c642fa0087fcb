### The line mode. Prompts end with a colon; a space is put behind them.

line-renumbered = 목록이 방금 바뀌었습니다. 번호를 다시 입력하세요.
line-no-longer-asked = 종료된 질문입니다.
line-none-waits = 기다리는 질문이 없습니다.
line-none-yet = 기다리는 질문이 없습니다. 새 질문은 여기에 알립니다.
line-waiting = 질문 { $count }개가 기다립니다:
line-put-aside = 미룬 질문 { $count }개:
line-late = 늦은 질문 { $count }개. 에이전트는 대기를 끝냈고, 답변은 다시 질문할 때까지 보관됩니다:
line-kept = 에이전트가 가져갈 때까지 보관하는 답변 { $count }개:
line-sent = 보내는 중인 답변 { $count }개:
line-fit = "{ $text }" 포함 질문만 보입니다. /만 입력하면 모두 보입니다.
line-none-fit = "{ $text }" 포함 질문이 없습니다. /만 입력하면 모두 보입니다.
line-row = { $number }. { $ask }
line-ask = { $who }, { $place }, { $ago }: { $title }
line-ask-anywhere = { $who }, { $ago }: { $title }
line-ask-aside = { $ask } ({ $time }까지 미룸)
line-ask-aside-asked = { $ask } (다시 질문할 때까지 미룸)
line-ask-due = { $ask } (기한 { $in })
line-new = 새 질문: { $ask }
line-back = 다시 기다림: { $ask }
line-which = 열 질문의 번호, ? 도움말, q 나가기:
line-which-none = ? 도움말, q 나가기:
line-unclear-list = { $count ->
    [0] 이해하지 못했습니다. 목록에 질문이 없습니다. ?는 도움말, q는 나가기입니다.
   *[other] 이해하지 못했습니다. 질문을 열려면 1부터 { $count } 사이의 번호를 입력하세요. ?는 도움말, q는 나가기입니다.
}
line-aside-which = s와 질문 번호, 기간이나 시각을 입력하세요: s 2 15m.
line-aside-none = 에이전트가 기다리지 않아 미룰 것이 없습니다.
line-past-row = { $number }. { $ask } ({ $how })
line-prompt-past = 읽을 번호, m 더 보기, h와 단어로 찾기, Enter는 목록으로:
line-unclear-past = 이해하지 못했습니다. 1부터 { $count } 사이의 번호, m, h와 단어, 또는 빈 줄로 돌아갑니다.
line-seen = Enter를 누르면 계속:
line-go-on = next를 입력하고 Enter를 누르면 계속, q는 나가기:
line-not-taken = 보내지 않음: { $text }
line-words-yes = y yes 예 네
line-words-no = n no 아니요 아니오

line-now = 방금
line-minutes-ago = { $count }분 전
line-hours-ago = { $count }시간 전
line-days-ago = { $count }일 전
line-at-today = { $time }
line-at-tomorrow = 내일 { $time }
line-at-day = { $date } { $time }
line-in-seconds = { $count }초 뒤
line-in-minutes = { $count }분 뒤
line-in-hours = { $count }시간 뒤
line-in-days = { $count }일 뒤

line-asked = 질문: { $who }, { $ago }.
line-asked-project = 질문: { $who }, { $project }, { $ago }.
line-asked-branch = 질문: { $who }, 브랜치 { $branch }, { $ago }.
line-asked-project-branch = 질문: { $who }, { $project }, 브랜치 { $branch }, { $ago }.
line-due = 기한은 { $in }입니다.
line-time-passed = 에이전트의 제한 시간이 지났습니다. 답변은 다시 질문할 때까지 보관됩니다.
line-agent-back = 에이전트가 다시 기다립니다.
line-context = 배경: { $text }
line-context-more = 더 있습니다. i로 전체 { $count }행 읽기.
line-context-none = 더 읽을 내용이 없습니다.
line-quote = 인용: { $text }
line-cell = { $name }: { $text }
line-item-done = { $mark } 완료: { $text }
line-item-open = { $mark } 미완료: { $text }

line-question = 질문 { $number }/{ $count }.
line-question-label = 질문 { $number }/{ $count }, { $label }.
line-question-optional = 질문 { $number }/{ $count }, 선택.
line-question-label-optional = 질문 { $number }/{ $count }, { $label }, 선택.
line-example = 예: { $text }
line-option = { $number }. { $label }.
line-option-recommended = { $number }. { $label }, 추천.
line-option-described = { $option } { $description }.
line-option-described-whole = { $option } { $description }
line-option-preview = { $option } 미리보기 있음, p{ $number } 입력.
line-option-own = 0. 직접 답변.
line-options-more = { $count }개 더 있습니다: m 계속 읽기, / 뒤에 단어로 찾기.
line-options-no-more = 더 없습니다.
line-found = "{ $word }" 포함 선택지 { $count }개:
line-found-none = "{ $word }" 포함 선택지가 없습니다.
line-preview-none = p와 미리보기가 있는 선택지의 번호를 입력하세요.
line-so-far = 지금까지의 답변: { $answer }
line-note-so-far = 메모: { $note }
line-note-none = 메모가 없습니다.
line-note-all-so-far = 모든 답변의 메모: { $note }
line-note-all-none = 모든 답변의 메모가 없습니다.

line-prompt-text = 답변, 빈 줄로 끝냄 (/q 나가기, /x 거절, /c 글 되묻기, /? 도움말):
line-prompt-confirm = 선택 (y, n, 0, q 나가기, x 거절, ? 도움말):
line-prompt-confirm-several = 선택 (y, n, 0, b 뒤로, q 나가기, x 거절, ? 도움말):
line-prompt-one = 선택 (번호, 0, q 나가기, x 거절, ? 도움말):
line-prompt-one-several = 선택 (번호, 0, b 뒤로, q 나가기, x 거절, ? 도움말):
line-prompt-many = 선택 (번호를 1 3처럼, 0, q 나가기, x 거절, ? 도움말):
line-prompt-many-several = 선택 (번호를 1 3처럼, 0, b 뒤로, q 나가기, x 거절, ? 도움말):
line-prompt-own = 직접 쓰는 답변, 빈 줄로 끝냄:
line-prompt-own-again = 직접 쓰는 답변, 빈 줄로 끝냄. 빈 줄만 입력하면 뺌:
line-prompt-on = 답변을 계속하세요. 빈 줄로 끝냅니다:
line-prompt-path = 파일 경로, 비우면 뒤로:
line-prompt-note = 이 답변의 메모, 한 줄. 비우면 그대로, -는 삭제:
line-prompt-note-all = 모든 답변의 메모, 한 줄. 비우면 그대로, -는 삭제:
line-prompt-reason = 이유는? 한 줄, 비우면 이유 없음:
line-prompt-none = 선택 없음: Enter를 다시 누르면 '해당 없음', 또는 지금 선택:
line-prompt-none-several = 선택 없음: Enter를 다시 누르면 '해당 없음', s 건너뛰기, 또는 지금 선택:
line-prompt-long = 답변이 깁니다 ({ $count }자). 계속할까요? [Y/n]
line-prompt-decline = 이유 없이 거절할까요? y/n:
line-prompt-decline-reason = "{ $text }" 이유로 거절할까요? y/n:
line-prompt-ask-back = 답변 대신 "{ $text }"라고 되물을까요? y/n:
line-prompt-send = 보낼까요? y, n, 또는 바꿀 번호 (? 도움말):
line-prompt-send-late = 늦은 답변으로 보관할까요? y, n, 또는 바꿀 번호 (? 도움말):
line-prompt-send-one = 보낼까요? y, b 바꾸기, q 나가기, ? 도움말:
line-prompt-send-one-late = 늦은 답변으로 보관할까요? y, b 바꾸기, q 나가기, ? 도움말:
line-prompt-unsent = 보내지 않음. 번호로 답변 변경, y 보내기, q 나가기:
line-prompt-unsent-one = 보내지 않음. b 바꾸기, y 보내기, q 나가기:

line-unclear-text = 이해하지 못했습니다. 답변을 입력하세요. /?는 도움말입니다.
line-unclear-command = /{ $word } 명령은 없습니다. /?로 명령을 볼 수 있습니다. 답변에 쓰려면 앞에 빈칸을 넣으세요.
line-unclear-confirm = 이해하지 못했습니다. y, n 또는 직접 답변하려면 0을 입력하세요. ?는 도움말입니다.
line-unclear-one = 이해하지 못했습니다. 1부터 { $count } 사이의 번호 하나, 또는 직접 답변하려면 0을 입력하세요. ?는 도움말입니다.
line-unclear-many = 이해하지 못했습니다. 1부터 { $count } 사이의 번호를 1 3처럼, 또는 직접 답변하려면 0을 입력하세요. ?는 도움말입니다.
line-unclear-review = 이해하지 못했습니다. y는 보내기, n은 보내지 않기, 번호는 그 답변 바꾸기입니다. ?는 도움말입니다.
line-unclear-review-one = 이해하지 못했습니다. y는 보내기, b는 답변 바꾸기, q는 나가기입니다. ?는 도움말입니다.
line-letter-taken = { $letter } 하나는 여기서 명령입니다. 답하려면 낱말 전체나 y 또는 n을 입력하세요.
line-ask-back-how = { $slash }c와 질문을 한 줄에 입력하세요.
line-no-own = 직접 쓴 답변 없음.
line-own-off = 직접 쓴 답변을 뺐습니다.
line-cut = 터미널은 한 줄에 4,095바이트까지만 받으며, 그 뒤에 입력한 내용은 사라졌습니다. 긴 답변은 여러 줄로 나누거나 편집기에서 쓰세요: { $slash }e
line-left-out = 답변이 너무 깁니다. 마지막 { $count }자는 빠집니다.
line-needed = 답변이 필요합니다. { $slash }x 거절, { $slash }q 대기로 두기.
line-recommended-none = 여기에는 추천이 없습니다.
line-aside-how = { $slash }s와 기간이나 시각을 입력하세요: { $slash }s 15m, { $slash }s 2h, { $slash }s 14:30, { $slash }s tomorrow, { $slash }s asked-again.
line-aside = { $title }: { $time }까지 미뤘습니다.
line-aside-asked = { $title }: 다시 질문할 때까지 미뤘습니다.
line-deadline-none = 기한이 없습니다. 답변을 기다립니다.
line-more-time = 시간을 늘렸습니다. 기한은 { $in }, { $at }입니다.
line-more-typing = 입력 중이라 시간을 늘렸습니다. 기한은 { $in }, { $at }입니다.
line-more-none = 시간을 더 늘릴 수 없습니다. 기한은 { $in }, { $at }입니다.
line-more-how = { $slash }+만, 또는 { $slash }+와 늘릴 시간을 입력하세요: { $slash }+ 10m.
line-editor-none = 편집기에는 터미널이 필요합니다. 답변을 직접 입력하세요.
line-earlier = o{ $number }. { $answer }
line-earlier-which = { $slash }o는 이전 답변 보기, { $slash }o와 번호는 그 답변 다시 쓰기입니다.
line-earlier-answer-how = { $slash }u로 그 답변을 채웁니다. 아직 보내지 않습니다.
line-attach-where = 파일은 답변 하나에 붙습니다. 먼저 번호를 입력한 뒤 첨부하세요.
line-attached = 첨부함: { $file }.
line-attached-none = 여기에 첨부된 파일이 없습니다.
line-detached = 뺌: { $file }.
line-file = @{ $number }. { $file }
line-files-more = { $count }개 더 있습니다. 글자를 더 입력하세요.
line-files-none = 일치하는 파일이 없습니다.
line-files-how = 파일을 가리킬 곳에 @와 번호를 입력하세요. 예: @1 참고.
line-files-named = 파일 포함: { $text }
line-files-nowhere = 어느 폴더에서 온 질문인지 알 수 없어 읽어 줄 파일이 없습니다.

line-help =
    번호로 선택하고 0으로 직접 답합니다. 빈 줄은 답변을 그대로 두거나 건너뜁니다.
    여러 개를 고를 수 있으면 1 3처럼 번호로 선택하고, -로 선택을 빼고, 0으로 직접 쓴 답변을 더합니다.
    b는 뒤로, q는 초안을 보관하고 나가기, x는 거절, x와 글은 그 이유로 거절,
    c와 질문은 에이전트에 되묻기, a는 질문을 다시 읽기입니다.
    n과 글은 이 답변에, N과 글은 모든 답변에 메모를 답니다.
    r은 추천을 선택하고, R은 답하지 않은 모든 질문에 추천을 선택합니다.
    u는 조금 전 같은 질문에 한 답변을 채웁니다.
    i는 배경 전체를, p와 번호는 선택지의 미리보기를,
    m은 선택지를 더 보여 주고, / 뒤의 단어로 찾습니다. e는 답변을 편집기에서 쓰고,
    o는 이전 답변을 보여 줍니다.
    s는 질문을 미루고 (s 15m, s 14:30, s tomorrow), +는 시간을 늘립니다 (+ 10m).
    f와 경로는 파일을, v는 복사한 이미지나 파일을 첨부하고, f -는 마지막 것을 뺍니다.
    @와 글자는 프로젝트의 파일을 보여 주고, @와 번호로 답변에서 그 파일을 가리킵니다.
line-help-text =
    입력하는 글이 답변입니다. 빈 줄로 끝내거나, 선택 질문이면 건너뜁니다.
    명령은 슬래시로 시작합니다: /b는 뒤로, /q는 초안을 보관하고 나가기,
    /x는 거절, /x와 글은 그 이유로 거절, /c와 질문은 에이전트에 되묻기, /a는 질문을 다시 읽기입니다.
    /n과 글은 이 답변에, /N과 글은 모든 답변에 메모를 답니다.
    /R은 답하지 않은 모든 질문에 추천을 선택합니다.
    /u는 조금 전 같은 질문에 한 답변을 채웁니다.
    /i는 배경 전체를 보여 주고, /e는 답변을 편집기에서 쓰고, /o는 이전 답변을 보여 줍니다.
    /s는 질문을 미루고 (/s 15m, /s 14:30, /s tomorrow), /+는 시간을 늘립니다 (/+ 10m).
    /f와 경로는 파일을, /v는 복사한 이미지나 파일을 첨부하고, /f -는 마지막 것을 뺍니다.
    /@와 글자는 프로젝트의 파일을 보여 주고, @와 번호로 답변에서 그 파일을 가리킵니다.
    답변에서 슬래시와 낱말로 시작하는 줄은 슬래시 앞에 빈칸을 넣어 입력합니다.
line-help-review =
    y는 보내기, n은 보내지 않기입니다. 답변 번호는 그 답변 바꾸기, b는 마지막 질문으로 돌아가기입니다.
    q는 초안을 보관하고 나가기, x는 거절, x와 글은 그 이유로 거절,
    c와 질문은 에이전트에 되묻기, a는 답변을 다시 읽기입니다.
    n과 글은 모든 답변에 메모를 답니다. R은 답하지 않은 모든 질문에 추천을 선택합니다.
    u는 조금 전 같은 질문에 한 답변을 채웁니다.
    i는 배경 전체를 보여 줍니다. s는 질문을 미루고 (s 15m, s 14:30, s tomorrow),
    +는 시간을 늘립니다 (+ 10m).
line-help-list =
    번호로 질문을 엽니다. q는 나가기, 빈 줄은 목록을 다시 읽기입니다.
    s와 번호와 기간은 질문을 미루고 (s 2 15m, s 2 tomorrow), s와 번호는 되돌립니다.
    x와 번호는 질문을 거절하고, 뒤에 쓴 글이 이유가 됩니다. 보내기 전에 묻습니다.
    u는 마지막으로 보낸 답변을, u와 번호는 그 질문의 답변을 에이전트가 받기 전까지 취소합니다.
    / 뒤에 단어를 쓰면 그 단어가 있는 질문만 남고, /만 입력하면 모두 보입니다.
    h는 끝난 질문을 읽고, h와 단어는 찾습니다. S는 통계를 읽습니다.
    m은 알림을 끄고, 다시 입력하면 켭니다.

line-review = 내 답변:
line-review-row = { $number }. { $question }: { $answer }
line-review-note = 전체 메모: { $note }
line-noted = { $answer } (메모: { $note })
line-unanswered = 답변 없음
line-unanswered-optional = 답변 없음, 선택
line-missing = 질문 { $count }개에 답변이 없습니다. 필수: { $names }.
line-said = 내 답변: { $answer }
line-left-waiting = 대기로 두었습니다. 초안은 보관됩니다.
line-left-unsaved = 대기로 두었습니다. 입력한 내용은 보관되지 않았습니다.
line-nothing-sent = 아무것도 보내지 않았습니다.
line-not-sent = 보내지 않음: { $problem }.
line-not-sent-try = 보내지 못함: { $problem }. 답변은 여기 남아 있음. 다시 시도하세요.
line-unsent = 입력한 내용:
