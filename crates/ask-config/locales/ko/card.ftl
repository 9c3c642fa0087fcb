### A card: its tabs, rows, notes, review, dialogs and notices.

## Notes, filter, recommended

card-your-note = 내 메모
card-note = 메모: "{ $note }"
card-note-key = 메모: "{ $note }"  ({ $key } 편집)
card-no-note = 메모: 없음
card-no-note-key = 메모: 없음  ({ $key } 추가)
card-your-note-for-all = 모든 답변에 대한 메모
card-note-for-all = { $key }  전체 메모: "{ $note }"
card-no-note-for-all = { $key }  전체 메모: 없음
card-filter = 필터:
card-filter-count = { $shown }/{ $offered }개
card-none-recommended = 여기에는 에이전트의 추천이 없습니다.
card-none-recommended-at-all = 답하지 않은 질문에 추천이 없습니다.
card-earlier-answer = { $ago } 전에 이렇게 답했습니다: { $answer } ({ $key } 키로 채우기)
card-earlier-answer-narrow = { $key } 키로 채우기: { $answer }

## Copies

card-copied = 복사했습니다 (터미널이 허용하는 경우).
card-too-long-to-copy = 너무 길어 복사 불가.
card-not-answered = 답변 없음
card-note-beside = 메모: { $note }

## The review

card-review = 답변 검토
card-missing = ! 답변 없음
card-left-out = 답변 없음 (선택)
card-gaps = ! 답하지 않은 질문 { $count }개. 필수: { $names }
card-button-send = { $count ->
    [0] 답변 없이 보내기
   *[other] 답변 { $count }개 보내기
}
card-button-anyway = 답변 { $count }개만 보내기
card-button-anyway-short = { $count }개만 보내기
card-just-told = 시간이 지났음을 에이전트에 알리는 중입니다. 다시 보내면 답변이 보관됩니다.
card-button-late = 늦은 답변으로 보관
card-button-late-anyway = 늦은 답변 { $count }개 보관
card-button-late-anyway-short = { $count }개 보관
card-button-go-to = 이동: { $name }

## What agents say

# In an agent's text: an image is not shown, what it is said to show is.
card-image = [이미지: { $alt }]
card-image-unnamed = [이미지]

card-yes-no = 예 / 아니요
card-gone = 더 이상 없습니다.
# What a window shows of a long text.
card-lines = { $first }-{ $last } / { $total }행
# Behind a question, in parentheses.
card-choose-any = { $chosen ->
    [0] (복수 선택)
   *[other] (복수 선택, { $chosen }개 선택)
}
card-optional = (선택)

## The rows of a question

card-yes = 예
card-no = 아니요
# Behind a label.
card-recommended = (추천)
card-recommended-short = (추천)
card-chosen = ✓ 선택
# Before what was typed and is not part of the answer.
card-kept = (보관됨, 미선택) { $text }
card-your-answer = 내 답변
card-your-own-answer = 직접 쓴 답변
# At the right end of a field's frame. $chars is a number, written out.
card-field-size = { $lines ->
    [1] { $chars }
   *[other] { $lines }행, { $chars }
}
card-more-above = ↑ { $count }개 더...
card-more-below = ↓ { $count }개 더...
# On the frame of the list: where the cursor stands.
card-row-of = { $row }/{ $rows }

## What a choice would look like

card-preview = 미리보기: { $choice }
# The same where the cursor is on Other, which has none.
card-preview-of-other = 미리보기
card-preview-none = 미리보기 없음
# Where there is no room for it. $key opens it.
card-preview-line = { $key } 미리보기 ({ $lines }행)

## A question that is longer than its place

# $down and $up are keys, or "none" where they turn a preview; $read is the key that shows everything.
card-prose-below = ↓ { $below }행 더 ({ $down ->
    [none] { $read } 전체 읽기
   *[other] { $down }, { $read } 전체 읽기
})
card-prose-above = ↑ { $above }행 더 ({ $up ->
    [none] { $read }
   *[other] { $up }
})
card-prose-both = ↑ { $above }  ↓ { $below }행 더

## What is said above the hints

card-sending = 보내는 중 ...
card-reconnecting = 다시 연결하는 중. 계속 입력해도 사라지지 않습니다.

## Who asks, and the tabs

card-asked = { $age } 전 질문
card-waits = 답변 대기 중
card-waits-no-more = 에이전트 대기 종료
card-due = 기한
card-due-in = { $left } 남음
card-link-down = 재연결 중
card-draft-saved = 초안 저장 { $at }
card-submit = 제출
card-place = { $at }/{ $all }
card-tabs-given = 답변 { $given }개 →

## Where nothing fits

card-too-small = 터미널이 작음 ({ $columns }x{ $rows }): { $least-columns }x{ $least-rows } 필요. { $enter }: 줄 모드

## Before an ask is left. $given of $asked questions have answers.

card-discard-typed = 입력한 내용을 버릴까요?
card-discard-nothing = 이 질문에서 나갈까요?
card-discard-answers = 답변 { $given }개를 버릴까요?
card-discard-given = 질문 { $asked }개 중 { $given }개에 답했습니다.
card-agent-waits = 에이전트가 아직 기다립니다.
card-agent-stopped = 에이전트가 더는 기다리지 않습니다.
card-discard-stay = 계속 답변
card-discard-leave = 대기로 두고 초안 보관
card-discard-leave-list = 대기로 두고 초안 보관, 목록으로
card-discard-leave-short = 두고 초안 보관
card-discard-cancel = 버리고 취소, 에이전트에 취소를 알림
card-discard-cancel-short = 버리고 취소
card-discard-decline = 이유를 적고 거절 ...
card-discard-hand-back = 클라이언트의 대화 상자로 되돌리기
card-handed-back = 되돌렸습니다: { $who }의 대화 상자에서 질문합니다.
card-said-held = { $said } { $key } 키로 취소합니다.
# $last is the number of the last way: 4, or 5 where the ask can be given back to its client.
card-discard-safe = { $ways ->
    [3] { $cancel }, { $decline }, { $back } 중에서 고르기 전에는 보내지 않습니다.
   *[other] { $cancel } 또는 { $decline } 중에서 고르기 전에는 보내지 않습니다.
}

## Declining, and asking back

card-decline = 거절
card-decline-why = 왜 거절하나요? 에이전트가 읽습니다. 비우면 이유 없음.
card-decline-hint = 이유
card-ask-back = 되묻기
card-ask-back-what = 무엇을 알고 싶나요? 답변 대신 에이전트에 전달됩니다.
card-ask-back-hint = 내 질문

## A long answer. $chars is a number, written out.

card-long = 긴 답변
card-long-sure = 답변이 깁니다 ({ $chars }자). 계속할까요? [Y/n]

## Going on, and what became of it

# $why is a sentence without its full stop, in English.
card-not-sent = 보내지 않음: { $why }.
card-filled-in-cut = 보내지 않음: 프로그램이 채운 내용이 이 화면에 다 들어가지 않습니다. 화면을 키우거나 페이지를 사용하세요.
card-not-sent-try-again = 보내지 못함: { $why }. 답변은 여기 남아 있음. 다시 시도하세요.
card-nothing-typed-yet = 아직 입력이 없습니다. 답변을 입력하거나 거절하세요.
card-nothing-typed = 입력 없음: { $enter } 한 번 더 누르면 답변 없이 보냄
card-somebody-first = 다른 곳에서 먼저 답했습니다. 보내지 않았습니다.
card-closed-elsewhere = 다른 곳에서 닫힌 질문입니다. 보내지 않았습니다.
card-no-longer-asked = 종료된 질문
# $key is a key, as in Alt+Up.
card-words-kept = 입력한 내용은 남아 있습니다. 입력란에서 { $key } 키로 되살립니다.
card-words-printed = 입력한 내용은 남아 있습니다. 나갈 때 출력합니다.
card-too-soon = 키가 너무 일러 아무 일도 없었습니다. 입력한 내용은 남아 있습니다.
card-your-draft = 내 초안:
# $names are the questions where it differs.
card-draft-differs = 여기 있던 초안과 다릅니다: { $names }
