<h1>{{ $title }}</h1>
