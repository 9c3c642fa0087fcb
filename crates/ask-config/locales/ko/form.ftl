### The page without scripts: what waits, and each ask as a form.

form-pair = 이 기기는 아직 허용되지 않았습니다. 스크립트를 켜고 이 페이지를 열고, 컴퓨터에서 `ask-user pair`를 실행하세요.
form-sign-in = 여기에서 답하려면 이 브라우저로 로그인하세요. `ask-user web --print`를 실행하고 나온 링크를 붙여 넣으세요.
form-link = 링크 또는 그 키
form-sign-in-button = 로그인
form-wrong-key = 이 키로는 열 수 없습니다. 이미 사용했거나 2분이 지났습니다. `ask-user web --print`를 다시 실행하세요.
form-waiting = 답을 기다리는 질문
form-send = 보내기
form-send-gaps = 그대로 보내기
form-gaps = 보내지 않았습니다. 빠졌거나 맞지 않는 것이 있습니다. 아래에 표시했습니다.
form-gap = 이 질문에는 답이 필요하거나, 답이 질문에 맞지 않습니다.
form-torn = “해당 없음”과 선택지가 함께 표시되어 있습니다. 둘 중 하나를 해제하세요.
form-note = 이 답의 메모
form-note-all = 모든 답의 메모
form-back = 기다리는 질문으로 돌아가기
form-again = 양식이 오래되어 아무것도 보내지 않았습니다. 다시 표시합니다.
form-say-what = 보내지 않았습니다. 알고 싶은 것을 쓰세요.

## What a browser is shown where there is no page, or where something didn't happen.

form-nothing-here = 여기에는 아무것도 없습니다
form-nothing-here-says = 이 주소의 페이지는 없습니다.
form-without-scripts = JavaScript가 없어도 간단한 양식으로 똑같이 할 수 있습니다.
form-to-page = 받은 질문으로
form-gone = 이 질문은 여기에 없습니다
form-gone-says = 삭제되었거나 주소가 완전하지 않습니다.
form-other-host = 이 페이지의 주소가 아닙니다
# $address is that of this computer, for browsers on it.
form-other-host-says = 이 컴퓨터에서는 { $address }입니다. 휴대폰에서는 `ask-user pair`가 출력하는 주소를 사용합니다.
form-other-site = 다른 사이트에서 여기로 왔습니다
form-other-site-says = 다른 사이트를 위해서는 아무것도 열거나 보내지 않습니다. 여기서 직접 계속하세요:
form-only-sees = 이 기기는 보기만 할 수 있습니다
form-only-sees-says = 아무것도 보내지 않았습니다. 컴퓨터에서 답하거나, 답할 수 있는 기기로 다시 허용하세요.
form-shut-out = 지금은 기기를 허용하지 않습니다
form-shut-out-says = 아무것도 보내지 않았습니다. 컴퓨터에서 “ask-user pair”를 실행하거나 페이지 설정에서 켜세요. 이 기기에는 새 코드가 필요 없습니다.
form-too-much = 너무 많습니다
form-too-much-says = 아무것도 보내지 않았습니다. 뒤로 가서 한 번에 더 적게 보내세요.
form-not-taken = 받아들여지지 않았습니다
form-not-taken-says = 아무것도 보내지 않았습니다. 뒤로 가서 다시 시도하세요.
form-no-hub = 지금은 할 수 없습니다
form-no-hub-says = 뒤로 가서 잠시 후 다시 시도하세요. `ask-user doctor`가 원인을 알려 줍니다.
form-kept-meanwhile = 아무것도 보내지 않았습니다: 이 브라우저는 로그인되어 있지 않습니다. 입력한 내용은 그때까지 남아 있습니다.
form-signed-in = 로그인했습니다. 아직 아무것도 보내지 않았습니다: 다시 확인하고 보내세요.
form-yours = 입력했던 내용
form-overheard = 암호화되지 않았습니다. 같은 네트워크에 있는 누구나 내용을 읽고 나 대신 행동할 수 있습니다.
form-only-sees-asks = 이 기기는 질문을 보기만 할 수 있습니다. 컴퓨터에서 답하거나, 답할 수 있도록 기기를 다시 허용하세요.
