#if TELLTALE_COMPILED
/// A flame graph as one SVG file: readable as it is, searched and zoomed by a script inside.
package struct FlameGraph {
    private final class Node {
        var value = 0
        var module: String?
        var place: String?
        var isWait = false
        var children: [String: Node] = [:]
    }

    private let answer: ProfileAnswer
    private let root = Node()
    private static let width = 1200.0
    private static let row = 16.0
    private static let top = 46.0
    /// Narrower frames are left out, in points.
    private static let least = 0.3

    private init(_ answer: ProfileAnswer) {
        self.answer = answer
        for stack in answer.stacks where answer.value(of: stack) > 0 {
            let value = answer.value(of: stack)
            root.value &+= value
            var node = child(of: root, stack.origin, value)
            for frame in answer.frames(of: stack).reversed() {
                node = child(of: node, frame.function, value)
                node.module = frame.module
                node.place = StackText.place(frame.file, frame.line)
            }
            if let wait = stack.wait { child(of: node, wait, value).isWait = true }
        }
    }

    @discardableResult
    private func child(of node: Node, _ name: String, _ value: Int) -> Node {
        let child = node.children[name] ?? Node()
        node.children[name] = child
        child.value &+= value
        return child
    }

    /// Returns the file's text.
    package static func svg(of answer: ProfileAnswer, title: String) -> String {
        FlameGraph(answer).svg(title)
    }

    private func svg(_ title: String) -> String {
        var frames = ""
        var deepest = 0
        var open: [(node: Node, name: String, x: Double, depth: Int)] = [(root, "all", 0, 0)]
        let scale = root.value > 0 ? (Self.width - 20) / Double(root.value) : 0
        while let (node, name, x, depth) = open.popLast() {
            let width = Double(node.value) * scale
            guard width >= Self.least else { continue }
            deepest = max(deepest, depth)
            frames += frame(node, name, x: x + 10, width: width, depth: depth)
            var next = x
            var children: [(node: Node, name: String, x: Double, depth: Int)] = []
            for (name, child) in node.children.sorted(by: { $0.key < $1.key }) {
                children.append((child, name, next, depth + 1))
                next += Double(child.value) * scale
            }
            open += children.reversed()
        }
        let height = Self.top + Double(deepest + 1) * Self.row + 10
        return """
            <?xml version="1.0" encoding="UTF-8"?>
            <svg xmlns="http://www.w3.org/2000/svg" width="\(Int(Self.width))" height="\(Int(height))" \
            viewBox="0 0 \(Int(Self.width)) \(Int(height))" font-family="monospace" font-size="11">
            <defs><pattern id="w" width="6" height="6" patternUnits="userSpaceOnUse" \
            patternTransform="rotate(45)"><rect width="6" height="6" fill="#c9d8ee"/>\
            <line x1="0" y1="0" x2="0" y2="6" stroke="#7f9cc8" stroke-width="2"/></pattern></defs>
            <rect width="100%" height="100%" fill="#ffffff"/>
            <text x="10" y="20" font-size="14">\(Self.escaped(title))</text>
            <text x="10" y="38" id="said">hatched: waiting, off the core</text>
            <text x="\(Int(Self.width) - 150)" y="20" id="find" style="cursor:pointer">search</text>
            <text x="\(Int(Self.width) - 80)" y="20" id="reset" style="cursor:pointer">reset</text>
            \(frames)<script><![CDATA[\(Self.script)]]></script>
            </svg>

            """
    }

    private func frame(
        _ node: Node, _ name: String, x: Double, width: Double, depth: Int
    ) -> String {
        let y = Self.top + Double(depth) * Self.row
        let share = Quantity.percent(Double(node.value) / Double(max(1, root.value)))
        let time = Quantity.time(seconds: Double(node.value) / 1e9)
        let place = [node.place, node.module].compactMap(\.self).joined(separator: ", ")
        let said = "\(name) (\(time), \(share)\(place.isEmpty ? "" : ", \(place)"))"
        let room = Int((width - 6) / 6.7)
        let text = name.count <= room ? name : room > 3 ? name.prefix(room - 1) + "…" : ""
        func points(_ value: Double) -> String { Quantity.decimal(value, places: 1) }
        return """
            <g class="f" data-n="\(Self.escaped(name))" data-x="\(points(x))" \
            data-w="\(points(width))" data-y="\(Int(y))"><title>\(Self.escaped(said))</title>\
            <rect x="\(points(x))" y="\(Int(y))" width="\(points(width))" height="15" \
            fill="\(node.isWait ? "url(#w)" : Self.color(node.module, depth))" rx="1"/>\
            <text x="\(points(x + 3))" y="\(Int(y) + 11)">\(Self.escaped(text))</text></g>

            """
    }

    /// A colour of its own for each module.
    private static func color(_ module: String?, _ depth: Int) -> String {
        guard let module else { return depth == 0 ? "#dddddd" : "#e6e0d0" }
        var hash: UInt32 = 2_166_136_261
        for byte in module.utf8 { hash = (hash ^ UInt32(byte)) &* 16_777_619 }
        return "hsl(\(hash % 360),65%,78%)"
    }

    private static func escaped(_ text: some StringProtocol) -> String {
        var out = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "<": out += "&lt;"
            case ">": out += "&gt;"
            case "&": out += "&amp;"
            case "\"": out += "&quot;"
            case _ where scalar.value < 32 || scalar.value == 127: out += "?"
            default: out.unicodeScalars.append(scalar)
            }
        }
        return out
    }

    private static let script = """
        (function(){var f=[].slice.call(document.querySelectorAll('g.f')),W=1180,
        said=document.getElementById('said');
        function n(g,k){return parseFloat(g.getAttribute('data-'+k))}
        function put(g,x,w){var r=g.querySelector('rect'),t=g.querySelector('text'),
        s=g.getAttribute('data-n'),m=Math.floor((w-6)/6.7);r.setAttribute('x',x);
        r.setAttribute('width',w);t.setAttribute('x',x+3);
        t.textContent=s.length<=m?s:m>3?s.slice(0,m-1)+'\\u2026':''}
        function zoom(a){var ax=n(a,'x'),aw=n(a,'w'),ay=n(a,'y');f.forEach(function(g){
        var x=n(g,'x'),w=n(g,'w'),y=n(g,'y'),over=y<ay&&x<=ax+0.11&&x+w>=ax+aw-0.11,
        inside=y>=ay&&x>=ax-0.11&&x+w<=ax+aw+0.11;
        g.style.display=over||inside?'':'none';g.style.opacity=over?0.5:1;
        if(over)put(g,10,W);else if(inside)put(g,10+(x-ax)*W/aw,w*W/aw)})}
        function find(s){var sum=0,ends=[];f.forEach(function(g){var r=g.querySelector('rect'),
        is=s&&g.getAttribute('data-n').toLowerCase().indexOf(s.toLowerCase())>=0;
        r.setAttribute('stroke',is?'#c000c0':'none');r.setAttribute('stroke-width',is?2:0);
        if(is)ends.push([n(g,'x'),n(g,'x')+n(g,'w')])});
        ends.sort(function(a,b){return a[0]-b[0]});var to=0;ends.forEach(function(e){
        var b=Math.max(e[0],to);if(e[1]>b){sum+=e[1]-b;to=e[1]}});
        said.textContent=s?ends.length+' frames, '+(100*sum/W).toFixed(1)+' % of the time':''}
        f.forEach(function(g){g.style.cursor='pointer';g.onclick=function(){zoom(g)}});
        document.getElementById('reset').onclick=function(){find('');if(f[0])zoom(f[0])};
        document.getElementById('find').onclick=function(){var s=prompt('function:');
        if(s!==null)find(s)};window.telltaleFind=find})();
        """
}
#endif
