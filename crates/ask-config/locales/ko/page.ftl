### What a browser is shown where the page can't run, or where there is no page.

page-nothing-here = 여기에는 아무것도 없습니다
page-nothing-here-says = 이 주소의 페이지는 없습니다.
page-without-scripts = JavaScript가 없으면 터미널에서 `ask-user`를 실행해 답하세요.
page-to-inbox = 받은 질문으로
page-other-host = 이 페이지의 주소가 아닙니다
# $address is that of this computer, for browsers on it.
page-other-host-says = 이 컴퓨터에서는 { $address }입니다. 휴대폰에서는 `ask-user pair`가 출력하는 주소를 사용합니다.
page-other-site = 다른 사이트에서 여기로 왔습니다
page-other-site-says = 다른 사이트를 위해서는 아무것도 열거나 보내지 않습니다. 여기서 직접 계속하세요:
page-shut-out = 지금은 기기를 허용하지 않습니다
page-shut-out-says = 아무것도 보내지 않았습니다. 컴퓨터에서 “ask-user pair”를 실행하거나 페이지 설정에서 켜세요. 이 기기에는 새 코드가 필요 없습니다.
