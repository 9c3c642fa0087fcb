### The page without scripts: what waits, and each ask as a form.

form-pair = 此设备尚未获准。请启用脚本打开此页面，并在电脑上运行 `ask-user pair`：
form-sign-in = 要在这里回答，请让此浏览器登录：运行 `ask-user web --print`，粘贴它打印的链接。
form-link = 链接或其密钥
form-sign-in-button = 登录
form-wrong-key = 此密钥无效：已被使用，或已超过两分钟。请再次运行 `ask-user web --print`。
form-waiting = 等待你的问题
form-send = 发送
form-send-gaps = 仍然发送
form-gaps = 未发送：有内容缺少或不符合。已在下方标出。
form-gap = 此问题需要回答，或回答与它不符。
form-torn = “都不是”和某个选项同时被选中：请取消其中之一。
form-note = 给此回答的备注
form-note-all = 给所有回答的备注
form-back = 返回等待的问题
form-again = 此表单已过期：没有发送任何内容。现在重新显示。
form-say-what = 未发送：请写出你想知道的内容。

## What a browser is shown where there is no page, or where something didn't happen.

form-nothing-here = 这里什么也没有
form-nothing-here-says = 没有这个地址的页面。
form-without-scripts = 没有 JavaScript 时，用简单的表单也能完成同样的事。
form-to-page = 前往收件箱
form-gone = 这个问题不在这里
form-gone-says = 它已被删除，或者地址不完整。
form-other-host = 这不是页面的地址
# $address is that of this computer, for browsers on it.
form-other-host-says = 在这台电脑上是 { $address }。手机请用 `ask-user pair` 给出的地址。
form-other-site = 另一个网站把你带到了这里
form-other-site-says = 不会为其他网站打开或发送任何内容。请从这里自行继续：
form-only-sees = 此设备只能查看问题
form-only-sees-says = 没有发送任何内容。请在电脑上回答，或在那里重新允许此设备回答。
form-shut-out = 目前不允许任何设备进入
form-shut-out-says = 没有发送任何内容。请在电脑上运行“ask-user pair”，或在那里的页面设置中开启。此设备不需要新的验证码。
form-too-much = 内容太多了
form-too-much-says = 没有发送任何内容。请返回，一次少发一些。
form-not-taken = 没有被接受
form-not-taken-says = 没有发送任何内容。请返回并再试一次。
form-no-hub = 现在无法完成
form-no-hub-says = 请返回，稍后再试。`ask-user doctor` 会说明原因。
form-kept-meanwhile = 没有发送任何内容：此浏览器尚未登录。在登录之前，你填写的内容会保留。
form-signed-in = 你已登录。还没有发送任何内容：请再看一遍，然后发送。
form-yours = 你输入过的内容
form-overheard = 未加密：同一网络中的任何人都能看到内容，并可替你操作。
form-only-sees-asks = 此设备只能查看问题。请在电脑上回答，或在那里重新允许此设备，使其可以回答。
